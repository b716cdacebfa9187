#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
struct in { int x, y; };
struct out { long pad; struct in in; char name[8]; int after; int tail[1]; };
static int g(void *p){ struct out *o = p; return o->after; }
static int up(struct in *i){ struct out *o = (struct out *)((char *)i - offsetof(struct out, in)); return o->after + (int)(&o->in == i) + (i - &o->in); }
static int first(long *l){ return ((struct out *)l)->after; }
int main(void){
  struct out *o = calloc(1, sizeof *o + 64);
  o->after = 5; strcpy(o->name, "1234567");
  o->tail[3] = 2; int *t = o->tail; t[5] = 3;
  int *e = &o->in.x; e[0] = 1;
  char *n = o->name, *end = o->name + 8; for (char *q = n; q < end - 1; q++) *q += 1;
  printf("%d %d %d %s %d %d\n", g(o), up(&o->in), first(&o->pad), o->name, t[5], e == (int *)&o->in);
  printf("%d\n", (char*)&o->after - (char*)o > 0);
  unsigned char *b = (unsigned char *)&o->in.y; b[-4] = 7; printf("%d\n", o->in.x);
  free(&o->pad);
  return 0;
}
