extern void *memcpy(void *restrict, const void *restrict, __typeof__(sizeof 0));
int main(void) {
    char s[8] = "abcdefg";
    memcpy(s + 1, s, 4); // UB: overlapping-copy
    return s[1] == 0;
}
