static int f(int a) {}
int main(void) {}
