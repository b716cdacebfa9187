foo_t x;
int f(bar_t y, baz_t *z);
struct s { quux_t a; quux_t b; };
void g(void) { local_t v; local_t w; }
unsigned float h;
int char i;
long long long j;
int struct s k;
const l;
int int m;
signed unsigned n;
static_t *o;
void q(__extension__ p, int);
