struct S { int a : 3; unsigned b : 4, c : 5; int : 0; } s;
