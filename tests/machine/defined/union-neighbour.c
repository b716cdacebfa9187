// Stores to an array in a union leave the object after the union alone.
static union { char buf[31]; long double b; } u;
char after = 'A';
int main(void) {
    for (int i = 0; i < 31; i++) u.buf[i] = 'a';
    return !(after == 'A' && u.buf[30] == 'a');
}
