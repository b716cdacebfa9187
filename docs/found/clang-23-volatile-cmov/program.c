int printf(const char *, ...);
static volatile int sensor = 5;
static int choose(int ready, int other) {
    int now = sensor;
    return ready ? now : other;
}
int main(void) {
    int sum = 0;
    for (volatile int ready = 0; ready < 2; ready++)
        sum += choose(ready, 3);
    printf("%d\n", sum);
}
