// Constructors run by rising priority, those without one last; destructors the other way round.
#include <stdio.h>
__attribute__((constructor)) static void last(void) { puts("last"); }
__attribute__((constructor(700))) static void c700(void) { puts("c700"); }
__attribute__((constructor(500), destructor(500))) static void both(void) { puts("500"); }
__attribute__((destructor)) static void first(void) { puts("first"); }
__attribute__((destructor(600))) static void d600(void) { puts("d600"); }
int main(void) {
    puts("main");
    return 0;
}
