int a[1];
int b[1][1];
