int g(int);
int main(void) {
    int a, b = 1;
    a = b + 1;
    return g(a) * b;
}
