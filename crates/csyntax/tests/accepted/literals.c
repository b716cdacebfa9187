/* Constants and strings. */
int a[] = { 0, 00, 017, 0x1F, 0XfFuL, 0b101, 1u, 2L, 3ul, 4LL, 5ull, 6LLU, 340282366920938463463374607431768211455, 7i, 8uj };
double b[] = { 1., .5, 1.5e3, 1E-3, 0x1p3, 0x.8P-1f, 1.f, 2.0L, 3.0Q, 4.0f128, 5.0f16, 6.0f32, 7.0f64x, 8.0dd, 9.0i, 1.0fi, 1e5if, 0.w, 08.5, 1.0d };
int c[] = { 'a', '\'', '"', '\\', '\n', '\0', '\377', '\x80', 'ab', 'abcd', '\0\377', L'a', L'\x7fffffff', u'\u20ac', U'\U0001f600', 'é', L'é', '\e', '\?' };
char *d[] = { "", "a\"b\\c", "\a\b\t\n\v\f\r\e", "\1\12\1234", "\x41" "1", "\xff" "f", "é\200", "a" "b" "c", "??=", "'", "\u00e9", "tab\there" };
void *e[] = { u8"é", u"é\xd800" "abc", U"😀", L"é" "ü" L"x", L"\xdeadbeef" "abc", "narrow" L"wide", u"\x12345" };
char *f = R"x(raw "\n" text)x" "tail\n";
int été = 1, \u00e9t\u00e9 = 2, $dollar = 3;
int long_\
name = 4;
