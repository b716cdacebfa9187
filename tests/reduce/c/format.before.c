/* a comment */
# 1 "x.c"
int   f( int a ){return ((a)+(1));}
