// Neighbouring bytes, each written through a pointer of its own again and again, until one is read through the other.
static int f(char *restrict p, char *restrict q) {
    for (int i = 0; i < 4; i++) {
        p[0] = i;
        q[1] = i;
        p[2] += q[3];
    }
    return q[2]; // UB: restrict-violation
}
int main(void) {
    char a[8] = {0};
    return f(a, a);
}
