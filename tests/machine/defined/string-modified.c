// An array initialised from a string literal is the program's own.
int main(void) {
    char s[] = "abc", *p = s, exact[3] = "xyz";
    const char *fixed = "abc";
    p[0] = 'x';
    return !(s[0] == 'x' && s[3] == 0 && sizeof s == 4 && fixed[0] == 'a' && exact[2] == 'z');
}
