int printf(const char *, ...);
int main(void) { printf("checksum = %llX\n", 1ULL); printf("ab"); return 0; }
