union c {
    int a;
    int b[];
};
extern union c d;

int main()
{
    d.b[1] || 0;
    return 0;
}
