// RUN: %clang -Os -mllvm -scalar-evolution-use-expensive-range-sharpening=true -w -c %s -o /dev/null

struct S {
    int a;
    int b;
};
struct T {
    struct S c;
};
int d;

void f(int e)
{
    d = d ^ e;
}

struct T i[5];
int j;

int main()
{
    switch (d)
    case 0:
        j++;
    for (; d < 1; d++)
        for (int k = 0; k < 5; k++) {
            f(i[k].c.b);
            k++;
            if (!(k < 5))
                break;
            f(i[k].c.b);
        }
    return 0;
}
