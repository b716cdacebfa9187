struct S { int a; };
struct T { struct S *s; };
struct U { int b; };
union V { int c; };
enum E { E0 };
enum F { F0 };
int main(void) { struct T t = {0}; return F0; }
