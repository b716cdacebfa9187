extern void exit(int);
_Noreturn static void stop(int really) {
    if (really) exit(0);
}
int main(void) {
    stop(0); // UB: noreturn-returned
    return 0;
}
