static int sum(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j];
    return s;
}
int main(void) {
    int total = 0;
    for (int n = 1; n < 5; n++) {
        int a[n][n + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) a[i][j] = i + j;
        total += sum(n, n + 1, a) + (int)(sizeof a / sizeof(int));
    }
    int k = 3;
    int (*row)[k] = &(int[3]){1, 2, 3};
    return !(total == 2 * 1 - 1 + 2 + 9 + 6 + 30 + 12 + 70 + 20 && sizeof *row == 3 * sizeof(int));
}
