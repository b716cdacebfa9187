unsigned _BitInt(4) f(_BitInt(7) a);
int main(void) { return sizeof(_BitInt(3)); }
