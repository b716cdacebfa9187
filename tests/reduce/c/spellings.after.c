unsigned long a = 16;
double b = 0;
char c = 97;
int d = 63;
