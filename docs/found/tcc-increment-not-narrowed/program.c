int printf(const char *, ...), a;
unsigned char b;

int main()
{
    for (int c = 32; c; c -= 1) {
        int d = 8;
        while (d--)
            switch (++b)
            case 0:
                ++a;
    }
    printf("%X", a);
    return 0;
}
