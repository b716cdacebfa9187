/* { dg-do compile } */
/* { dg-options "-Os -fprofile-use" } */

[[gnu::noinline]]
 int f()
{ return 1; }
int a, b;
int g( )
{
    if (a)
        return 0;
    if (b)
        __attribute__((musttail)) return f();
     return g();
}
int main()
{
    return 0;
}
