// C11 7.1.4p2, 6.2.7p2: a library function may be declared by hand, but with its own type.
int printf(...);
int main(void) {
  printf("%d\n", 1); // UB: wrong-function-type
  return 0;
}
