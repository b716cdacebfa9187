/* { dg-do run } */
/* { dg-options "-O1" } */
/* { dg-output "^1(\n|\r\n|\r)$" } */

int printf(const char *, ...), a;

int main()
{
    printf("%X", __builtin_popcountll(-1 - ((__int128)a | (unsigned long)-1) >> 1));
}
