int a[3] = {1, 2, 3};
int b[2][3] = {{1}, {2}};
int main(void) { return a[1] + b[1][2] + *a; }
