// Its bytes lie in the other order.
struct __attribute__((scalar_storage_order("big-endian"))) s { // UNSUPPORTED: scalar_storage_order
    int x;
};
int main(void) {
    struct s s = {1};
    return *(char *)&s.x;
}
