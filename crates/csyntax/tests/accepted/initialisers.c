/* Designators, old and new, and ranges. */
struct p { int x, y; struct { int z[3]; } s; };
struct p a = { 1, 2 }, b = { .y = 1, .x = 2, .s.z[1] = 3, .s = { .z = { [0 ... 1] = 4, 5 } } }, c = { y: 1, x: 2 };
int d[] = { [3] = 1, [1 ... 2] = 2, 3, [0] 4 }, e[2][2] = { { 1, 2 }, { 3 } }, f[] = { };
char g[] = "abc", h[] = { "abc" }, *i[] = { "a" "b", "c", };
int j = { 3 }, k = (int){ 4 }, l = ({ int x = 3; x; });
struct p *m = &(struct p){ .x = 1 };
int n[] = { [A_NAME] = 1, [(1, 2)] = 3 };
int many[] = { 1000000, 1000001, 1000002, 1000003, 1000004, 1000005, 1000006, 1000007, 1000008, 1000009, 1000010, 1000011 };
