int printf(const char *, ...);

int main()
{
    char a = -1;
    printf("%X", (unsigned short)a * 1);
}
