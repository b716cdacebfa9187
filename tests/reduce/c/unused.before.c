int printf(const char *, ...);
int puts(const char *);
typedef int T;
static int used(void);
static int unused_variable, variable = 1;
static int unused_function(int n) { return n ? unused_function(n - 1) : 0; }
static int used(void) { int local; return variable; }
enum { A, B };
int main(void) { printf("%d", B); return used(); }
