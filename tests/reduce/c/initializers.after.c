int a , b[2] ;
int *p ;
int main(void) { int c ; return c; }
