/* Double stencil on a heap grid. */
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int n = 300;
    double *a = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n * n);
    if (!a || !b) return 2;
    for (int i = 0; i < n * n; i++) a[i] = b[i] = (i * 37) % 101;
    for (int t = 0; t < 25; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
        double *s = a; a = b; b = s;
    }
    double sum = 0;
    for (int i = 0; i < n * n; i++) sum += a[i];
    free(a); free(b);
    return sum > 0 ? 0 : 1;
}
