struct S {
    char a;
    int b : 1;
    int c;
};
int printf(const char *, ...);
struct S d;

void f()
{
    int e = 0;
    e++;
}

int g()
{
    d = (struct S){.b = 0};
}

int main()
{
    f();
    g();
    printf("%X", d.c);
}
