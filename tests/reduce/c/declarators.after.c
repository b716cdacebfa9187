int c[2] = {1, 2};
int d;
int main(void) { int f = 1; return f; }
