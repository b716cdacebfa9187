unsigned a = 1000U;
int b = 1, c = 7;
