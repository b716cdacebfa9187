struct S { int a; };
struct T { struct S *s; };



enum F { F0 };
int main(void) { struct T t = {0}; return F0; }
