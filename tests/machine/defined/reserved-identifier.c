// A library name without linkage, or with internal linkage where no header of it is included.
static int memcmp_calls;
static int memcmp(const void *a, const void *b) { return memcmp_calls++, a == b; }
int main(void) {
    int abs = 3, x;
    return !(memcmp(&x, &x) == 1 && memcmp_calls == 1 && abs == 3);
}
