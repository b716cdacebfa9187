#pragma scalar_storage_order big-endian // UNSUPPORTED: scalar_storage_order
struct s {
    int x;
};
int main(void) {
    struct s s = {1};
    return *(char *)&s.x;
}
