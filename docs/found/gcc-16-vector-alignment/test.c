/* { dg-do run } */
/* { dg-options "-O1 -march=x86-64-v3" } */

typedef int S __attribute__((vector_size(32)));
int a = 1;
S b __attribute__((aligned));

int main()
{
    b = (S){};
}
