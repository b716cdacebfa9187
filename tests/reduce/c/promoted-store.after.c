int g(int);
int *h(int *);
int main(void) {
    char c = 1;
    int a, b = 1, *p;
    
    g((+(b + 1)));
    
    g(2 * (+(unsigned short)c));
    p = &b;
    h(p);
    return 0;
}
