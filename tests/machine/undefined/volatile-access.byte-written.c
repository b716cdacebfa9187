int main(void) {
    volatile char text[4] = "abc";
    char *p = (char *)text;
    p[1] = 'x'; // UB: volatile-access
    return text[1];
}
