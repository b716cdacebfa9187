int a;
volatile int b;

int f()
{
    for (int c = 0; c < 2; ++c) {
        a = 0;
        b = 0;
    }
    return 0;
}

int main()
{
    f();
    return 0;
}
