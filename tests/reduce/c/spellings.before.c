unsigned long a = 0x10UL;
double b = 2.5e1;
char c = 'a';
int d = 077;
