int f(int n, int m, int a[n][m]) {
  int b[n][3];
  int (*p)[m] = a;
  typedef char row[n + 1];
  p++;
  return a[1][2] + sizeof b + sizeof(row) + sizeof(int[m]) + b[n][0];
}
