// Atomic builtins access volatile objects as what they are.
#include <stdio.h>
static volatile long long word = 5;
int main(void) {
    __sync_lock_release(&word);
    printf("%d\n", (int)__sync_fetch_and_add(&word, 3));
    printf("%d\n", (int)__sync_val_compare_and_swap(&word, 3, 9));
    __atomic_store_n(&word, 4, __ATOMIC_SEQ_CST);
    printf("%d %d\n", (int)__atomic_load_n(&word, __ATOMIC_SEQ_CST), (int)word);
    return 0;
}
