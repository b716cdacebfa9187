// C11 6.5.2.2p6: arguments of the other signedness whose values both types have, in calls without a prototype.
static int f(n, m, k)
    int n;
    unsigned m;
    long k;
{
    return n + (int)m + (int)k;
}
int main(void) {
    unsigned small = 1000u;
    unsigned long seven = 7ul;
    return f(small, 3, seven) != 1010 || f(1u, 2, seven) != 10;
}
