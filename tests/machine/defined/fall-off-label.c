// A function with a result ends without one, after a label and an if; nobody uses the result.
static int g;
static int f(int a) {
    if (a) goto out;
    g = 2;
out:
    if (a == 7) g = 1;
}
int main(void) {
    f(1);
    f(7);
    return g != 1;
}
