int f(int a) {
     a = 1; 
     a += 1; a += 2; 
    a--;
    a++;
    while (a) a--;
    return a;
}
