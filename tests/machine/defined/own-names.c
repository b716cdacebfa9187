// Names of POSIX and of headers that ISO C does not have are the program's to define.
int ffs(int x) { return x ? 1 : 0; }
int index(int x) { return x + 1; }
int main(void) { return !(ffs(3) == 1 && index(1) == 2); }
