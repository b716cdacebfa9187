// Files lie in memory: what is written is read again, positions, appended text, errors, names.
#include <errno.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[32];
    int a = 0, b = 0;
    fpos_t here;
    FILE *f = fopen("missing", "r");
    if (f || errno != ENOENT) return 1;
    f = fopen("numbers", "w");
    if (!f || fprintf(f, "%2$d %1$d\nsecond line\n", 12, 34) != 18 || fclose(f)) return 2;
    f = fopen("./numbers", "a+");
    fputs("third", f);
    if (ftell(f) != 23) return 3;
    rewind(f);
    if (fscanf(f, "%d%d ", &a, &b) != 2 || a != 34 || b != 12) return 4;
    fgetpos(f, &here);
    if (!fgets(line, sizeof line, f) || strcmp(line, "second line\n")) return 5;
    if (fread(line, 1, sizeof line, f) != 5 || !feof(f) || fgetc(f) != EOF) return 6;
    fsetpos(f, &here);
    if (feof(f) || getc(f) != 's' || ungetc('S', f) != 'S' || ftell(f) != 6 || fgetc(f) != 'S') return 7;
    if (fseek(f, -2, SEEK_END) || fgetc(f) != 'r' || fclose(f)) return 8;
    f = fopen("numbers", "r");
    if (fputc('x', f) != EOF || !ferror(f)) return 9;
    clearerr(f);
    if (ferror(f) || fopen("numbers", "wx") || errno != EEXIST) return 10;
    if (rename("numbers", "others") || remove("numbers") != -1 || remove("others")) return 11;
    if (fgetc(f) != '3' || fclose(f)) return 12;
    f = tmpfile();
    fputc('t', f);
    fflush(f);
    if (fgetc(f) != EOF) return 13;
    rewind(f);
    printf("%3$s %2$*1$d\n", 4, 7, "positions");
    return fgetc(f) == 't' ? 0 : 14;
}
