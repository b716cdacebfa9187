// Volatile lvalues may access any object.
volatile int flag = 1;
int main(void) {
    volatile int *p = &flag;
    int plain = 2;
    volatile int *q = &plain;
    *p += 2;
    *q = *p + plain;
    return !(flag == 3 && plain == 5);
}
