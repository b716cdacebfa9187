volatile int a;
int b;

int f()
{
}

int main()
{
    b = 1 == f;
    b = a * b;
    return 0;
}
