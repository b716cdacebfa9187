int g(void);
int f(int a) {
    g(); a = 1;  a = 2;  
    g();  a = 1;  
    { int i = 0; a += i; i++; }
    a = 0; a++; 
    g(); a--; 
     a++;  g(); 
    g(); 
    return a;
}
