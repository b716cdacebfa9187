extern void *memcpy(void *restrict, const void *restrict, __typeof__(sizeof 0));
extern void *memmove(void *, const void *, __typeof__(sizeof 0));
int main(void) {
    char s[8] = "abcdefg";
    memmove(s + 1, s, 4);
    if (s[0] != 'a' || s[1] != 'a' || s[4] != 'd' || s[5] != 'f') return 1;
    memcpy(s, s + 4, 4);
    return !(s[0] == 'd' && s[1] == 'f');
}
