struct S {
    _Alignas(8) int a;
};

int main()
{
    struct S S;
    return __alignof__ S.a;
}
