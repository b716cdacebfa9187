// The layout of such a record is not known here.
struct __attribute__((ms_struct)) s { // UNSUPPORTED: ms_struct
    char c;
    int bits : 3;
};
int main(void) {
    return sizeof(struct s) == 1;
}
