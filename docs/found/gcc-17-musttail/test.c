/* { dg-do compile } */
/* { dg-options "-Os -fno-tree-dce" } */

int a;
 int f( )
{
    if (a)
        return 0;
    __attribute__((musttail)) return f();
}
int main()
{
    return 0;
}
