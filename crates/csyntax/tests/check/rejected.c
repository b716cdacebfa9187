//// undeclared name: not declared
int f(void) { return x; }
//// conflicting object types: conflicting types
int a; long a;
//// conflicting function types: conflicting types
int f(int); long f(int);
//// redefinition of a function: redefinition
int f(void) { return 1; } int f(void) { return 2; }
//// redefinition of an object: redefinition
int a = 1; int a = 2;
//// redeclared in a block: redeclaration
int f(void) { int a; int a; return 0; }
//// parameter redeclared in the body: redeclaration
int f(int a) { int a; return 0; }
//// typedef and object: redefinition
int f(void) { typedef int t; typedef long t; return 0; }
//// static after extern: static declaration
int f(void); static int f(void) { return 0; }
//// non-static after static: non-static
static int a; int a;
//// redefined struct: redefinition of tag
struct s { int a; }; struct s { int b; };
//// struct and union: tag 's'
struct s { int a; }; union s *p;
//// tag of an enum: names an enum
enum e { A }; struct e *p;
//// duplicate member: duplicate member
struct s { int a; char a; };
//// duplicate member through an anonymous struct: duplicate member
struct s { int a; struct { int a; }; };
//// duplicate enumerator: redeclaration
enum e { A, A };
//// incomplete member: incomplete
struct t; struct s { struct t m; };
//// incomplete local: incomplete
struct t; void f(void) { struct t x; }
//// void object: void
void f(void) { void x; }
//// void parameter: void
void f(int a, void b) {}
//// array of void: elements
void *f(void) { void a[3]; return a; }
//// negative array: negative
int a[-1];
//// variable array at file scope: constant
int n; int a[n];
//// huge array: too large
int a[1LL << 62];
//// array size that is no integer: integer
int a[1.5];
//// function returning an array: cannot return
typedef int t[3]; t f(void);
//// no such member: no member
struct s { int a; }; int f(struct s *p) { return p->b; }
//// arrow on a struct: pointer
struct s { int a; }; int f(struct s p) { return p->a; }
//// dot on a pointer: no struct
struct s { int a; }; int f(struct s *p) { return p.a; }
//// member of an incomplete type: incomplete
struct s; int f(struct s *p) { return p->a; }
//// call of a non-function: function to call
int x; int f(void) { return x(1); }
//// too few arguments: arguments
int g(int, int); int f(void) { return g(1); }
//// too many arguments: arguments
int g(int); int f(void) { return g(1, 2); }
//// struct passed as int: incompatible types
struct s { int a; } v; int g(int); int f(void) { return g(v); }
//// int assigned to struct: incompatible types
struct s { int a; } v; void f(void) { v = 1; }
//// different structs assigned: incompatible types
struct s { int a; } v; struct t { int a; } w; void f(void) { v = w; }
//// pointer assigned to float: incompatible types
float x; void f(int *p) { x = p; }
//// assignment to a value: not an object
void f(int x) { x + 1 = 2; }
//// assignment to a constant: read-only
const int x; void f(void) { x = 2; }
//// assignment to a const member: read-only
struct s { const int a; } v; void f(void) { v.a = 1; }
//// assignment to a struct with a const member: read-only
struct s { const int a; } v, w; void f(void) { v = w; }
//// assignment to an array: array
int a[3], b[3]; void f(void) { a = b; }
//// increment of a value: not an object
void f(int x) { (x + 1)++; }
//// member of a value assigned: not an object
struct s { int a; } g(void); void f(void) { g().a = 1; }
//// address of a value: object
int *f(int x) { return &(x + 1); }
//// address of a bit-field: bit-field
struct s { int a : 3; } v; int *f(void) { return &v.a; }
//// sizeof a bit-field: bit-field
struct s { int a : 3; } v; int x = sizeof(v.a);
//// sizeof an incomplete type: incomplete
struct t; int x = sizeof(struct t);
//// dereferenced integer: pointer
int f(int x) { return *x; }
//// subscripted integers: subscript
int f(int x) { return x[1]; }
//// struct in arithmetic: operator
struct s { int a; } v; int f(void) { return v + 1; }
//// float modulo: operator
double f(double d) { return d % 2; }
//// float shifted: operator
double f(double d) { return d << 2; }
//// pointers added: operator
int *f(int *p, int *q) { return p + q; }
//// pointers of different types subtracted: operator
long f(int *p, char *q) { return p - q; }
//// pointer multiplied: operator
long f(int *p) { return p * 2; }
//// struct compared: operator
struct s { int a; } v; int f(void) { return v == v; }
//// complement of a float: unary
int f(double d) { return ~d; }
//// negated pointer: unary
int f(int *p) { return -p; }
//// condition on a struct: scalar
struct s { int a; } v; int f(void) { if (v) return 1; return 0; }
//// conditional of struct and int: operator
struct s { int a; } v; void f(int c) { c ? v : 1; }
//// cast to struct: cast
struct s { int a; } v; void f(int c) { (struct s)c; }
//// cast to array: cast
void f(int *p) { (int[3])p; }
//// pointer cast to float: cast
float f(int *p) { return (float)p; }
//// void value used: void
void g(void); int f(void) { return g(); }
//// void argument: void
void g(void); int h(int); int f(void) { return h(g()); }
//// case outside of a switch: outside
int f(int x) { case 1: return x; }
//// duplicate case: twice
int f(int x) { switch (x) { case 1: case 1: return 1; } return 0; }
//// overlapping case ranges: twice
int f(int x) { switch (x) { case 1 ... 5: case 3: return 1; } return 0; }
//// two defaults: two defaults
int f(int x) { switch (x) { default: default: return 1; } return 0; }
//// case that is not constant: constant
int f(int x) { switch (x) { case x: return 1; } return 0; }
//// switch on a float: integer
int f(double x) { switch (x) { default: return 1; } }
//// break outside of a loop: outside
void f(void) { break; }
//// continue in a switch: outside
void f(int x) { switch (x) { case 1: continue; } }
//// undefined label: not defined
void f(void) { goto l; }
//// label defined twice: twice
void f(void) { l:; l:; }
//// enumerator that is not constant: constant
int x; enum e { A = x };
//// bit-field width too large: width
struct s { int a : 33; };
//// bit-field of a float: integer type
struct s { float a : 3; };
//// named bit-field of width zero: width 0
struct s { int a : 0; };
//// static initialiser that is not constant: not constant
int g(void); int x = g();
//// static local initialised by a parameter: not constant
void f(int a) { static int x = a; }
//// address of an automatic object: not constant
void f(int a) { static int *p = &a; }
//// initialised extern in a block: extern
void f(void) { extern int x = 1; }
//// array initialised by a value: array
int a[3] = 1;
//// struct initialised by an int: incompatible types
struct s { int a; }; void f(void) { struct s v = 1; }
//// designator of no member: no member
struct s { int a; } v = { .b = 1 };
//// index outside of the array: outside
int a[3] = { [3] = 1 };
//// field designator for an array: array
int a[3] = { .x = 1 };
//// index designator for a struct: no array
struct s { int a; } v = { [0] = 1 };
//// empty braces for a scalar: empty
int a = {};
//// variable array initialised: initialised
void f(int n) { int a[n] = { 1 }; }
//// failed static assertion: assertion failed
_Static_assert(sizeof(int) == 8, "int is small");
//// static assertion that is not constant: constant
int x; _Static_assert(x, "");
//// generic without association: no association
int f(double d) { return _Generic(d, int: 1); }
//// generic with compatible associations: compatible
int f(int d) { return _Generic(d, int: 1, signed int: 2); }
//// alignment that is no power of two: power of two
int x __attribute__((aligned(3)));
//// flexible array member in the middle: last
struct s { int a[]; int b; };
//// parameters with one name: called
int f(int a, int a) { return 0; }
//// old-style declaration of no parameter: no parameter
int f(a) int a, b; { return a; }
//// function initialised: initialised
int f(void) = 1;
//// typedef as expression: type name
typedef int t; int f(void) { return t; }
//// unknown type through a scope: not declared
void f(void) { { int y; } y = 1; }
//// vectors of different length: operator
typedef int v4 __attribute__((vector_size(16))); typedef int v2 __attribute__((vector_size(8))); void f(v4 a, v2 b) { a + b; }
//// conversion of a struct to bool: incompatible types
struct s { int a; } v; _Bool f(void) { return v; }
//// static variable array: static object
void f(int n) { static int a[n]; }
//// negative shift of a struct: operator
struct s { int a; } v; int f(void) { return 1 << v; }
//// offsetof of a bit-field: bit-field
struct s { int a : 3; }; int x = __builtin_offsetof(struct s, a);
//// compound literal of incomplete type: incomplete
struct t; void f(void) { (struct t){ 0 }; }
//// unknown builtin used as a value: not declared
int f(void) { return (int)__builtin_nonsense; }
//// function with an incomplete return type: incomplete
struct t; struct t f(void) {}
//// call that returns an incomplete type: incomplete
struct t; struct t g(void); void f(void) { g(); }
//// extern inline function defined again: redefinition
extern inline int f(void) { return 1; } int f(void) { return 2; }
//// flexible array of an automatic object initialised: flexible
struct f { int n; char t[]; }; int g(void) { struct f v = { 1, "abc" }; return v.n; }
//// nested flexible array initialised: flexible
struct f { int n; int t[]; }; struct o { int a; struct f i; }; struct o v = { 1, { 2, { 3 } } };
//// pointer mode of another width: mode
int *p __attribute__((mode(SI)));
//// index of a shuffle beyond both vectors: beyond
typedef int v4 __attribute__((vector_size(16))); v4 f(v4 a, v4 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 8); }
//// shuffle of vectors of different elements: one type
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16))); v4 f(v4 a, f4 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3); }
//// _BitInt of no width: at least
unsigned _BitInt(0) x;
//// signed _BitInt of one bit: at least
_BitInt(1) x;
//// _BitInt wider than is known: wider than 128
_BitInt(129) x; struct t; struct t y;
//// constexpr that is not constant: constant
int f(void); constexpr int n = f();
//// constexpr without initialiser: initialiser
constexpr int n;
//// enumerator beyond the underlying type: does not fit
enum e : unsigned char { A = 255, B };
//// enum with another underlying type: another underlying
enum e : short; enum e : long;
//// enum with an underlying type that is none: underlying
enum e : float { A };
//// nullptr in arithmetic: operator
int x = nullptr * 2;
