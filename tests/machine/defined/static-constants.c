// gcc and clang read constant objects, their members and elements in static initialisers.
static const int a = 3;
static const double d = 2.5;
static const int array[3] = {1, 2, 3};
static const struct { int x; double y; char text[4]; } s = {4, 5.5, "xyz"};
static int b = a, c = array[1], e = s.x, f = "abc"[1];
static char t = s.text[2];
static double g = d;
int main(void) { return !(b == 3 && c == 2 && e == 4 && f == 'b' && t == 'z' && g == 2.5); }
