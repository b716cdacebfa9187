int a = 09, b = 0x, c = 1abc, d = 1e, e = 0x1.8, f = 1lul, g = 0b12, h = 1.2.3;
char *i = "open
;
char j = '', k = 'open
;
char *l = "\xg", *m = "\u12";
int n = @ 3, o = `5;
int p = \ 3;
void *q = L"a" u"b";
