int printf(const char *, ...);

int main()
{
    int a = 0;
    if (a) {
        int b[a];
    }
L:
    printf("");
}
