int main(int argc, char **argv) {
    struct {
        int before, list[argc]; // UNSUPPORTED: members of variable size
    } s;
    return sizeof s == 8;
}
