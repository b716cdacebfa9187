// The program has its own memcpy with external linkage, and it is not the library's.
void *memcpy(void *to, const void *from, __typeof__(sizeof 0) n) {
    (void)from;
    (void)n;
    return to;
}
int main(void) {
    char a[4] = "abc", b[4] = "xyz";
    memcpy(a, b, 4); // UB: reserved-identifier
    return a[0] == 'x';
}
