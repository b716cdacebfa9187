static int pick(int x) {
    switch (x) {
    case 0: return 5;
    case 1: return 6;
    }
    __builtin_unreachable();
}
int main(void) { return pick(0) + pick(1) != 11; }
