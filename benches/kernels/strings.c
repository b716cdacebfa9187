/* Byte loops over strings, switch dispatch. */
static char text[100000];
int main(void) {
    for (int i = 0; i < 99999; i++) text[i] = " etaoin.shrdlu,\nxyz"[(i * 7 + i / 13) % 19];
    long words = 0, lines = 0, vowels = 0, other = 0;
    for (int round = 0; round < 60; round++) {
        int in = 0;
        for (const char *p = text; *p; p++) {
            switch (*p) {
            case ' ': case '.': case ',': in = 0; break;
            case '\n': in = 0; lines++; break;
            case 'a': case 'e': case 'i': case 'o': case 'u': vowels++; /* fall through */
            default: if (!in) words++; in = 1; other++; break;
            }
        }
    }
    return words > 0 && lines > 0 && vowels < other ? 0 : 1;
}
