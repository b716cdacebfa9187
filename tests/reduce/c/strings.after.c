int printf(const char *, ...);
int main(void) { printf("", 1ULL); printf(""); return 0; }
