// Every path gives the variable a value before it is read; static objects start as zero.
static int zero;
static void set(int *p) { *p = 3; }
int main(void) {
    int x, part[4] = {1};
    set(&x);
    return !(x == 3 && zero == 0 && part[3] == 0);
}
