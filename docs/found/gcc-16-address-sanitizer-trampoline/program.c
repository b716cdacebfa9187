int f(int a(int *))
{
    a(0);
}

int main()
{
    int b;
    int g(int *)
    {
        b = 0;
    }
    f(g);
    return 0;
}
