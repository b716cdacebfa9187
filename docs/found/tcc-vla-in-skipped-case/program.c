int a;

int f()
{
}

int main()
{
    switch (0)
    case 1:
        {
            int b[a];
        }
L:
    f();
}
