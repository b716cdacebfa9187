int printf(const char *, ...);


int main(void) {
    int x = 0 + 1;
    
    if (x) ;
    int (*p)(int) = 0;
    return x;
}
