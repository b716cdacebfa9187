// Without the header, setjmp may be called with anything.
static int there;
int main(void) {
    return setjmp(there); // UNSUPPORTED: a place to jump to that is no pointer
}
