struct in { int a, b; };
struct s { char c; struct in i[2]; unsigned x : 3, y : 5; } v = { 1, 2, 3, 4, .y = 7 };
int a[] = { [2] = 1, 2, [0 ... 1] = 9, [2] = 5 };
char t[] = "ab", u[2][3] = { "xy", { 'z' } };
union w { int i; struct in s; } w = { .i = 1, .s = { 2, 3 }, .s.b = 4 };
struct flex { int n; short a[]; } flex = { 2, { 1, 2 } };
int f(int n) {
  struct in local = { n, .a = 5 };
  struct s whole = { 'a', { local, { 1 } } };
  static int k = sizeof whole;
  int *p = (int[]){ n, 2 };
  return local.b + *p + k;
}
