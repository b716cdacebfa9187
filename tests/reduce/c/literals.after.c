unsigned a = 0U;
int b = 0, c = 0;
