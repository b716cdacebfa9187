int f(int a) {
     
        a = 1;
          a = 2;  
     
    while (a)   a--;  
    if (a) { a = 4; }
    return a;
}
