struct S { int a, *b; };
static struct S s = {1, 0};
static int a[3] = {2, 3, 4};
int main(void) {
    static int kept[2];
    s.a = a[0] + a[2];
    return s.b == 0 && *kept;
}
