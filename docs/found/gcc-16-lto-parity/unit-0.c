int b;
unsigned c(unsigned short);
short d;

int main()
{
    for (int i = 0; i < 7; i++)
        b = b * 2 + c(i);
    return 0;
}
