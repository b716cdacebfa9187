int a = 1, b[2] = {1, 2};
int *p = &a;
int main(void) { int c = a; return c; }
