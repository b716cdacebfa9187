typedef unsigned long size;
typedef struct { int a; } *P;
size x;
P p;
