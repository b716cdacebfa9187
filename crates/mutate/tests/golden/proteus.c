typedef struct { int x; } T;
static T table[] = {{1}, {2}, {3}};
static int scaled(int);
int seen, last = 2;
int printf(const char *, ...);
static int index_of(int i) {
    static int calls;
    return table[i].x + calls++;
}
int old_style(a)
int a;
{
    return a + (int)(sizeof table / sizeof table[0]);
}
int main(void) {
    seen = scaled(1);
    printf("%d %d %d\n", seen, index_of(1), old_style(last));
    return 0;
}
static int scaled(int x) { return x * 3 + last; }
