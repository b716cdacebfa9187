   int a = 1;
  int f( int b, int * p) {  int c; return *p; }
