#pragma pack(1)
struct S {
    int a : 30;
    int b : 27;
};
int printf(const char *, ...);

int main()
{
    printf("%X", (struct S){0, 4}.b);
    return 0;
}
