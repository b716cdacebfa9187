// Of a string in an initialiser a later designator replaces one character; the others stay (6.7.9p19).
#include <stdio.h>
#include <wchar.h>
struct s {
    char text[6];
    int number;
} a[] = {{{"foo"}, 1}, [0].text[0] = 'b', [0].text[4] = 'y'};
struct w {
    wchar_t text[6];
    int number;
} b[] = {{{L"foo"}, 1}, [0].text[2] = L'x'};
struct s c[] = {{{"foo"}, 1}, [0] = {.text[1] = 'b'}};
int d[][2][4] = {[2 ... 4][0 ... 1][2 ... 3] = 1, [2] = 2, [2][0][2] = 3};
struct inner {
    int one, list[3], two;
};
// What follows a range goes on in its last element.
struct inner f[4] = {[0 ... 2].list[0 ... 1] = 4, 5, 6, 7};

int main(void) {
    struct s e = {.text = "local", .text[1] = 'i', .number = 2};
    for (int i = 0; i < 6; i++) printf("%d %d %d %d\n", a[0].text[i], (int)b[0].text[i], c[0].text[i], e.text[i]);
    printf("%d %d %d %d\n", a[0].number, b[0].number, c[0].number, e.number);
    printf("%d %d %d %d\n", d[2][0][0], d[2][0][2], d[2][1][3], d[4][0][1]);
    for (int i = 0; i < 4; i++) printf("%d %d %d %d\n", f[i].one, f[i].list[1], f[i].list[2], f[i].two);
    return 0;
}
