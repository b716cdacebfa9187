int printf(const char *, ...);
struct loop {
    void *data;
    unsigned char rest[840];
};
__attribute__((noinline)) int started(struct loop *loop) {
    return loop->data != 0 && loop->rest[0] == 0 && loop->rest[839] == 0;
}
__attribute__((noinline)) int start(struct loop *loop) {
    void *data = loop->data;
    __builtin_memset(loop, 0, sizeof *loop);
    loop->data = data;
    return started(loop);
}
int main(void) {
    static struct loop loop;
    loop.data = &loop;
    loop.rest[839] = 1;
    printf("%d\n", start(&loop));
}
