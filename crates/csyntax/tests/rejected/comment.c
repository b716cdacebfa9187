int a; // fine
int b; /* never ends
int c;
