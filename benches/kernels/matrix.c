/* Integer matrix product: two-dimensional global arrays. */
static int a[160][160], b[160][160], c[160][160];
int main(void) {
    for (int i = 0; i < 160; i++)
        for (int j = 0; j < 160; j++) { a[i][j] = i - j; b[i][j] = i + j; }
    unsigned sum = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 160; i++)
            for (int j = 0; j < 160; j++) {
                int s = 0;
                for (int k = 0; k < 160; k++) s += a[i][k] * b[k][j];
                c[i][j] = s;
            }
        for (int i = 0; i < 160; i++) sum += (unsigned)c[i][159 - i];
    }
    return sum == 0 ? 1 : 0;
}
