int printf();

int main()
{
    char a = -1;
    printf("%X", 0 < (unsigned short)a);
}
