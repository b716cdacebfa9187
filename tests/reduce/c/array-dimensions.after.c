int a = 1;
int b[3] = {1};
int main(void) { return a + b[2] + a; }
