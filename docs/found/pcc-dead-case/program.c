int printf(const char *, ...);

int f(int a)
{
    switch (1) {
    case 0:
        --a;
    case 2:
        ;
    }
    return a;
}

int main()
{
    printf("%X", f(0));
    return 0;
}
