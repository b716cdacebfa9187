int printf(const char *, ...);
struct point { int abscissa, ordinate; };
typedef struct point point_t;
static int compute(point_t *argument) { return argument->abscissa; }
int b;
int main(void) {
    point_t local = {.abscissa = 1};
    goto finish;
finish:
    printf("%d\n", compute(&local) + b);
    return 0;
}
