// Null pointers are compared, converted and guarded, never dereferenced; &*p evaluates neither.
struct list { int value; struct list *next; };
int main(void) {
    int *p = 0;
    struct list tail = {2, 0}, head = {1, &tail};
    int sum = 0;
    for (struct list *l = &head; l; l = l->next) sum += l->value;
    int *q = &*p;
    return !(sum == 3 && q == 0 && (p == 0 || *p));
}
