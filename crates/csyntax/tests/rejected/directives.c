#include <stdio.h>
#define X 1
int main(void) { return X; }
