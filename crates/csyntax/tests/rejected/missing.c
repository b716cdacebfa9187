int a
int b;
int c = ;
int f(void) {
    int x = 3
    x = 4;
    return (x + 1;
    x = = 2;
    f(1, );
    a[1;
}
int d;
struct s { int a int b; };
int e[3;
int g(int, ;
