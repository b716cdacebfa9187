// Aligned storage is used as int; odd addresses are read through memcpy or a packed member.
extern void *malloc(__typeof__(sizeof 0));
struct __attribute__((packed)) odd { char c; int value; };
int main(void) {
    char *store = malloc(16);
    if (!store) return 0;
    int *p = (int *)(store + 4);
    *p = 77;
    struct odd odd = {1, 0x01020304};
    int copy;
    __builtin_memcpy(&copy, (char *)&odd + 1, sizeof copy);
    return !(*p == 77 && copy == 0x01020304 && odd.value == copy);
}
