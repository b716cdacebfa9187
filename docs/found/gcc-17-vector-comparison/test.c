/* { dg-do run } */
/* { dg-options "-O2 -march=x86-64-v2" } */

int a[4] = {-1};

int main()
{
    int b, c, d[] = {0, 1, 1, 1};
    b = 0;
    for (c = 0; c < 4; c++)
        a[c] = a[c] >= 0;
    for (; b < 4; b++)
        if (a[b] != d[b])
            __builtin_abort();
    return 0;
}
