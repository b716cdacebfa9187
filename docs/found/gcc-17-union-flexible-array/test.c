/* { dg-do run } */
/* { dg-options "-fsanitize=address,undefined" } */
/* { dg-additional-sources "unit-1.c" } */

union c {
    int a;
    int b[];
};
extern union c d;

int main()
{
    d.b[1] || 0;
    return 0;
}
