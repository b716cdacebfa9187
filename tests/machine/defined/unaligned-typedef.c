// Typedefs with less alignment than their type, and one that may alias.
typedef unsigned short U16;
typedef __attribute__((aligned(1))) U16 unalign16;
typedef U16 __attribute__((aligned(1))) una2;
typedef unsigned __attribute__((aligned(2), may_alias)) una4;
int main(void) {
  char *b = __builtin_malloc(16); __builtin_memset(b, 1, 16);
  if (_Alignof(unalign16) != 1) return 5;
  if (*(const una2*)(b + 1) != 257) return 1;
  if (*(const unalign16*)(b + 1) != 257) return 2;
  *(unalign16*)(b + 1) = 513;
  *(una4*)(b + 2) = 1;
  const void *p = b + 3;
  return (*(const unalign16*)p != 0);
}
