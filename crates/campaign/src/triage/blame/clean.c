int printf(const char *, ...);

struct node { struct node *next; int key; short tag; unsigned bits : 5; double weight; };
union both { unsigned word; unsigned char byte[4]; };

static unsigned sum;
static volatile int seed = 7;
static int table[64];
static struct node nodes[16];

static void mix(unsigned long long value) {
  sum = (sum << 5 ^ sum >> 27) * 2654435761u + (unsigned)value + (unsigned)(value >> 32);
}

static int twice(int n) { return 2 * n; }
static int half(int n) { return n / 2; }
static int (*const steps[])(int) = {twice, half, twice};

static __attribute__((noinline)) int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

static __attribute__((noinline)) int choose(int n) {
  switch (n) {
  case 0: return 3;
  case 1: return 1;
  case 2: case 5: return 4;
  case 7: n++; /* fall through */
  case 8: return n * 11;
  case 100: return -1;
  default: return n & 3;
  }
}

static __attribute__((noinline)) double area(const double *xs, int n) {
  double all = 0;
  for (int i = 0; i < n; i++) all += xs[i] * xs[n - 1 - i] + (i & 1 ? 0.5 : -0.25);
  return all;
}

static __attribute__((noinline)) long long many(char a, short b, int c, long d, long long e, float f, double g, int h, int i) {
  return a + b * 2 + c * 3 + d * 5 + e * 7 + (long long)f * 11 + (long long)g * 13 + h * 17 + i * 19;
}

static __attribute__((noinline)) struct node make(int key) {
  struct node made = {0, key, (short)(key * 3), (unsigned)key & 31u, key / 4.0};
  return made;
}

static void loops(void) {
  int square[8][8];
  for (int i = 0; i < 64; i++) table[i] = i * seed % 13;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) square[i][j] = table[8 * j + i] - table[8 * i + j];
  for (int i = 0; i < 8; i++)
    for (int j = i; j < 8; j += 3) mix((unsigned)(square[i][j] * (j - i)));
  unsigned char bytes[40];
  for (int i = 0; i < 40; i++) bytes[i] = (unsigned char)(table[i] + i);
  for (int i = 1; i < 40; i++) bytes[i] ^= bytes[i - 1] >> 1;
  for (int i = 0; i < 40; i++) mix(bytes[i]);
  int n = 27, count = 0;
  while (n != 1 && count < 500) { n = n & 1 ? 3 * n + 1 : n / 2; count++; }
  mix((unsigned)count);
}

static void records(void) {
  struct node *list = 0;
  for (int i = 0; i < 16; i++) {
    nodes[i] = make(i * seed);
    nodes[i].next = list;
    list = &nodes[i];
  }
  for (struct node *p = list; p; p = p->next)
    mix((unsigned)p->key + p->bits + (unsigned)p->tag + (unsigned)(p->weight * 4));
  union both u;
  u.word = 0x01020304u * (unsigned)seed;
  mix(u.byte[0] + 256u * u.byte[3]);
}

static void numbers(void) {
  for (int i = -5; i < 12; i++) {
    long long wide = (long long)i * 123456789012LL;
    unsigned u = (unsigned)i;
    mix((unsigned long long)wide);
    mix((unsigned)(i < 0 ? -i : i) % 5u + (u >> 3) + (u << 4 | u >> 28));
    mix((unsigned)(wide / 1000 % 97 + (i ? 1000 / i : 0)));
    mix((unsigned)(choose(i) + steps[(unsigned)(i + 6) % 3u](i)));
    mix((unsigned)(signed char)(i * 50) + (unsigned)(short)(i * 9999));
    mix((unsigned)(i > 3 && seed > i || i == -2));
  }
  double xs[9];
  for (int i = 0; i < 9; i++) xs[i] = i * 0.75 - seed;
  mix((unsigned long long)(long long)(area(xs, 9) * 16));
  mix((unsigned long long)many(1, -2, 3, -4, 5, 6.0f, -7.5, seed, gcd(84, 36)));
}

int main(void) {
  loops();
  records();
  numbers();
  if (seed == 8) goto out;
  for (int round = 0; round < 3; round++) {
    if (round == seed) continue;
    mix((unsigned)round);
  }
out:
  printf("%u\n", sum);
  return 0;
}
