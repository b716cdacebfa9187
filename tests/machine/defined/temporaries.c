// Arrays in the results of functions, used within their full expressions; compound literals live as their block.
struct s { int a[2]; };
static struct s make(int n) {
    struct s s = {{n, n + 1}};
    return s;
}
static int sum(const int *p) { return p[0] + p[1]; }
int main(void) {
    int total = sum(make(1).a) + make(5).a[1];
    if (total != 9) return 1;
    for (int i = 0; i < 3; i++) total += ({ int k = sum(make(i).a); k + make(k).a[0]; }) + sum(make(1).a);
    if (total != 36) return 2;
    int *p = (int[]){1, 2};
    int *q;
    p[0] += *(q = make(3).a, q + 1);
    int *r = &(int){5};
    *r += 1;
    if (*r != 6 || **&(int *){&(int){9}} != 9) return 3;
    return p[0] != 5;
}
