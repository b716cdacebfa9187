void f(int n; int a[n], int n);
