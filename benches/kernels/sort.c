/* Quicksort in place through pointers. */
static int v[400000];
static void sort(int *lo, int *hi) {
    while (lo < hi) {
        int pivot = lo[(hi - lo) / 2];
        int *i = lo, *j = hi;
        while (i <= j) {
            while (*i < pivot) i++;
            while (*j > pivot) j--;
            if (i <= j) {
                int t = *i;
                *i = *j;
                *j = t;
                i++;
                if (j > lo) j--; else break;
            }
        }
        if (j - lo < hi - i) { if (j > lo) sort(lo, j); lo = i; } else { if (i < hi) sort(i, hi); hi = j; }
    }
}
int main(void) {
    unsigned s = 12345;
    for (int i = 0; i < 400000; i++) { s = s * 1103515245u + 12345u; v[i] = (int)(s >> 8); }
    sort(v, v + 399999);
    for (int i = 1; i < 400000; i++) if (v[i - 1] > v[i]) return 1;
    return 0;
}
