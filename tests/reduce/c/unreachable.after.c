int f(int a) {
    while (a) {
        break;
        
    }
    if (a) goto l;
    return a;
    
    
l:
    return a;
    
}
