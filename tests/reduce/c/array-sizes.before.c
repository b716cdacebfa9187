int a[16];
int b[2][3];
