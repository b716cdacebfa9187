// RUN: %clang -Os -mllvm -jump-threading-across-loop-headers=true -w -c %s -o /dev/null

int a, b, c;

static void f()
{
    for (; c;)
        do
            for (a = 0; a > c; a--)
                __builtin_printf(0);
        while (b);
}

int main()
{
    f();
    return 0;
}
