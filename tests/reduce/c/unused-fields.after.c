struct S { int b;  } s = {2}, t[2] = {{5}, {.b = 6}};
union U { int a;  } u = {7};
int main(void) { return s.b + u.a; }
