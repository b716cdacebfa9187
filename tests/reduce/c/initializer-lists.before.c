int a[5] = {1, 2, 3, 4, 5};
int b[2][2] = {{1, 2}, {3}};
struct { int x, y; } s = {.x = 1, .y = 2};
