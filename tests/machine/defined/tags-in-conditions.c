// Selection and iteration statements, and the statements they govern, are blocks of their own (6.8.4p3, 6.8.5p5).
#include <stdio.h>
struct s {
    char c;
};
enum { outer = 1 };

int main(void) {
    int rounds = 0;
    if (sizeof(struct s { int a; double b; })) printf("%d\n", (int)sizeof(struct s) > 8);
    while (rounds < (int)sizeof(struct s { char c[3]; })) rounds++;
    switch (sizeof(enum { outer = 7 }) ? outer : 0) {
    case 7: puts("inner"); break;
    }
    do
        rounds += (int)sizeof(struct s { char c[2]; });
    while (rounds < 8 && outer == 1);
    printf("%d %d %d\n", rounds, (int)sizeof(struct s), outer);
    return 0;
}
