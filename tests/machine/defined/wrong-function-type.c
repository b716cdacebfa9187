// A converted function pointer is converted back before the call; compatible types need no conversion.
typedef void (*any)(void);
static int twice(int x) { return 2 * x; }
static int first(const int *p) { return *p; }
int main(void) {
    any stored = (any)twice;
    int (*back)(int) = (int (*)(int))stored;
    int (*unprototyped)() = twice;
    int (*array)(const int[3]) = first;
    int values[3] = {4, 5, 6};
    return !(back(21) == 42 && unprototyped(4) == 8 && array(values) == 4);
}
