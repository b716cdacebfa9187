int main(void) {
    char *s = "abc";
    s[0] = 'x'; // UB: string-modified
    return s[0];
}
