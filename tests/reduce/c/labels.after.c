int f(int a) {
    switch (a) { a = 2; a = 5; a = 6; }
a++;
    if (a < 9) ;
    ;
return a;
}
