/* a unit */
typedef struct {
    int x;
} T;
T table_exposed[] = {{1}, {2}, {3}};
int scaled_exposed(int);
int seen, last = 2;
int printf(const char *, ...);
int index_of_exposed(int i);
int old_style();
int main(void);

int scaled_exposed(int x)
{
    return x * 3 + last;
}
/* a unit */
typedef struct {
    int x;
} T;
extern T table_exposed[3];
int scaled_exposed(int);
extern int seen, last;
int printf(const char *, ...);

int index_of_exposed(int i)
{
    static int calls;
    return table_exposed[i].x + calls++;
}

int old_style();

int main(void)
{
    seen = scaled_exposed(1);
    printf("%d %d %d\n", seen, index_of_exposed(1), old_style(last));
    return 0;
}

int scaled_exposed(int x);
/* a unit */
typedef struct {
    int x;
} T;
extern T table_exposed[3];
int scaled_exposed(int);
extern int seen, last;
int printf(const char *, ...);
int index_of_exposed(int i);

int old_style(a)
    int a;
{
    return a + (int)(sizeof table_exposed / sizeof table_exposed[0]);
}

int main(void);
int scaled_exposed(int x);
