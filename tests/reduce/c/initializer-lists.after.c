int a[5] = {2};
int b[2][2] = {{1}};
struct { int x, y; } s = {1};
