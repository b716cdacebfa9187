int a, *b = 0, c[2] = {1, 2};
int d;
int main(void) { int e, f = 1; return f; }
