// Order within one object, equality between any two.
struct pair { int first, second; };
int main(void) {
    int a[4], b[4];
    struct pair pair;
    return !(&a[1] < &a[2] && &a[4] > &a[0] && &pair.first < &pair.second && a != b && (void *)&pair <= (void *)&pair.first);
}
