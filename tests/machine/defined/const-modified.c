// The object itself is not const, only the pointer that looked at it.
struct part { const int id; int value; };
int main(void) {
    int x = 3;
    const int *look = &x;
    *(int *)look = 4;
    struct part part = {1, 2};
    part.value = 5;
    return !(x == 4 && part.id == 1 && part.value == 5);
}
