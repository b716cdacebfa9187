static int made;
static int length(void) { return ++made + 1; }
int main(void) {
    static const int pairs[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    __auto_type rows = (*({ int n = 2; (const int(*)[3][n])&pairs; }));
    if (rows[1][0] != 1 || sizeof(rows[1]) / sizeof(int) != 2) return 1;
    if ((*({ int n = 2; (const int(*)[3][n])&pairs; }))[2][1] != 1) return 2;
    if (sizeof(*({ int n = length(); (const int(*)[n])pairs[1]; })) != 2 * sizeof(int)) return 3;
    if (sizeof(*({ int n = length() - 1; (const int(*)[3][n])pairs; })[1]) != 2 * sizeof(int)) return 4;
    return made - 2;
}
