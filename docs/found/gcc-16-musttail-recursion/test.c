/* { dg-do compile } */
/* { dg-options "-Os -fno-tree-dce" } */

 int f(int a)
{ int b = a & 11;
    if (!b)
        return 0;
    __attribute__((musttail)) return f(b );
}
int main()
{
    return 0;
}
