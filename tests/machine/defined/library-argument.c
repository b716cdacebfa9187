extern __typeof__(sizeof 0) strlen(const char *);
extern int toupper(int), memcmp(const void *, const void *, __typeof__(sizeof 0));
int main(void) {
    char s[] = "two words";
    return !(strlen(s) == 9 && strlen("") == 0 && toupper('a') == 'A' && toupper(-1) == -1 && memcmp(s, s, 0) == 0);
}
