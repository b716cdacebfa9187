/* Inline assembly that the abstract machine does not run, with code around it that never does. */
int printf(const char *, ...);

static unsigned table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static unsigned overflows;

static unsigned add(unsigned a, unsigned b)
{
  unsigned sum = a;
  __asm__("addl %1, %0" : "+r"(sum) : "r"(b) : "cc");
  if (sum < a) {
    overflows++;
    printf("overflow\n");
  }
  return sum;
}

int main(void)
{
  unsigned total = 0;
  for (unsigned i = 0; i < 8; i++) {
    if (table[i] > 100) {
      table[i] = 0;
      total = add(total, 7);
      continue;
    }
    total = add(total, (table[i] & 7) * (i + 1));
    switch (total & 3) {
    case 0:
      total ^= 5;
      break;
    case 1:
      total = add(total, total >> 1);
      break;
    default:
      if (total == 12345) total = 0;
    }
  }
  printf("%u %u\n", total, overflows);
  return total & 63;
}
