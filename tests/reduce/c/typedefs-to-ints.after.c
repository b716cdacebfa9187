
typedef struct { int a; } *P;
int x;
int p;
