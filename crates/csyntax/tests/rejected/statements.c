int f(int n) {
    if n) return 1;
    else return 2;
    while () ;
    for (int i = 0; i < n) ;
    do n++ while (n);
    goto ;
    case : ;
    if (n) int x = 3;
    }
}
int g(void) { return 1; }
int h(void) {
    switch (1) { case 1 ... : ; }
    break
}
