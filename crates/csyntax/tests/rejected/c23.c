int two = 1''0;
int suffix = 1lwb;
bool bool x;
enum e : { A };
constexpr = 3;
