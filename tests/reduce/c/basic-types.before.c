unsigned long long a;
short int f(char b, float c) { return (unsigned char)b; }
