/* { dg-do run } */
/* { dg-options "-O3 -fno-tree-loop-im -floop-nest-optimize" } */
/* { dg-output "^1(\n|\r\n|\r)$" } */

int printf(const char *, ...), a, b[], c;

__attribute__((noinline)) int f()
{
    a = 0;
    return 0;
}

int main()
{
    int d = 0;
    for (; d < 3; d++) {
        f();
        c = a;
    }
    d = 0;
    for (; d < 3; ++d)
        b[0] = 1 + (unsigned long)a ? 1 : a;
    for (d = 0; d < 3; d++)
        printf("", 0);
    printf("%d", b[0]);
    return 0;
}
