extern _Noreturn void exit(int);
_Noreturn static void stop(int code) { exit(code); }
int main(void) { stop(0); }
