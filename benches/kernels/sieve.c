/* Sieve of Eratosthenes: byte array, strides. */
static unsigned char composite[2000000];
int main(void) {
    int count = 0;
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 2000000; i++) composite[i] = 0;
        count = 0;
        for (int i = 2; i < 2000000; i++) {
            if (composite[i]) continue;
            count++;
            for (long j = (long)i * i; j < 2000000; j += i) composite[j] = 1;
        }
    }
    return count == 148933 ? 0 : 1;
}
