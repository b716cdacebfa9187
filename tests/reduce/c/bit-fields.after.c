struct S { int a ; unsigned b , c ; int : 0; } s;
