// Operands of type void, cast to void again or not; assembly that does nothing.
static int calls;
static void call(void) { calls++; }
int main(void) {
    int x = 3, y;
    void *p = &x;
    (void)(void)0;
    (void)call();
    (void)(x ? call() : call());
    (void)*p;
    __asm__ volatile("nop");
    __asm__("# a comment" : "+r"(x));
    __asm__("" : "=r"(y) : "0"(x));
    return calls != 2 || y != 3;
}
