/* Linked lists and a hash table of structs. */
struct node { struct node *next; unsigned key; long count; };
static struct node pool[20000];
static struct node *bucket[4096];
static int used;
static struct node *find(unsigned key) {
    struct node **p = &bucket[(key * 2654435761u) >> 20];
    for (struct node *n = *p; n; n = n->next) if (n->key == key) return n;
    struct node *n = &pool[used++];
    n->key = key; n->count = 0; n->next = *p; *p = n;
    return n;
}
int main(void) {
    unsigned s = 1;
    for (int i = 0; i < 1000000; i++) { s = s * 1664525u + 1013904223u; find((s >> 16) % 20000u)->count++; }
    long total = 0;
    for (int i = 0; i < used; i++) total += pool[i].count;
    return total == 1000000 ? 0 : 1;
}
