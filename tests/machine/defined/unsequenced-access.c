// The same objects changed with sequence points or value dependences between.
static int count;
static int next(void) { return ++count; }
int main(void) {
    int i = 1, a[4] = {0};
    i = i + 1;
    i++, i++;
    if (i++ && i == 5) a[0] = i;
    a[1] = i ? i++ : 0;
    int sum = next() + next();
    a[i - 5] = i;
    return !(i == 6 && a[0] == 5 && a[1] == 6 && sum == 3);
}
