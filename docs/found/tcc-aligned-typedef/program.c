typedef int S __attribute__((aligned));

int main()
{
    return _Alignof(S);
}
