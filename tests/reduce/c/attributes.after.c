int a ;
 static int f(void) ;
