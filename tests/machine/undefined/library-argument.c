extern int toupper(int);
int main(void) {
    int c = 1000;
    return toupper(c) == 'A'; // UB: library-argument
}
