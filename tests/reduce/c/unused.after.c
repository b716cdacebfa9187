int printf(const char *, ...);



static int variable = 1;

static int used(void) {  return variable; }
enum { B };
int main(void) { printf("%d", B); return used(); }
