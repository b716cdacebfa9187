//! How functions of the C library are called, by their specification: compilers call some that no declaration in debug
//! information tells of.

use super::types::passed;
use langs::machine_code::{Abi, Above, Convention, Filled, Piece};

/// Name, then result and arguments: `p` for what has 64 bits in a general register, `i` for 32, `d` and `f` for doubles
/// and floats, `v` for nothing; `.` where more may follow.
const LIBRARY: &[(&str, &str)] = &[
    ("abort", "v"),
    ("abs", "ii"),
    ("acos", "dd"),
    ("aligned_alloc", "ppp"),
    ("asin", "dd"),
    ("atan", "dd"),
    ("atan2", "ddd"),
    ("atof", "dp"),
    ("atoi", "ip"),
    ("atol", "pp"),
    ("atoll", "pp"),
    ("bcmp", "ippp"),
    ("bsearch", "pppppp"),
    ("bzero", "vpp"),
    ("calloc", "ppp"),
    ("cbrt", "dd"),
    ("ceil", "dd"),
    ("ceilf", "ff"),
    ("cos", "dd"),
    ("exit", "vi"),
    ("exp", "dd"),
    ("exp2", "dd"),
    ("expm1", "dd"),
    ("fabs", "dd"),
    ("feof", "ip"),
    ("ferror", "ip"),
    ("fflush", "ip"),
    ("fgetc", "ip"),
    ("floor", "dd"),
    ("floorf", "ff"),
    ("fmax", "ddd"),
    ("fmin", "ddd"),
    ("fmod", "ddd"),
    ("fmodf", "fff"),
    ("fprintf", "ipp."),
    ("fputc", "iip"),
    ("fputs", "ipp"),
    ("free", "vp"),
    ("fwrite", "ppppp"),
    ("getc", "ip"),
    ("getchar", "i"),
    ("hypot", "ddd"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("labs", "pp"),
    ("ldexp", "ddi"),
    ("llabs", "pp"),
    ("log", "dd"),
    ("log10", "dd"),
    ("log1p", "dd"),
    ("log2", "dd"),
    ("malloc", "pp"),
    ("memchr", "ppip"),
    ("memcmp", "ippp"),
    ("memcpy", "pppp"),
    ("memmove", "pppp"),
    ("mempcpy", "pppp"),
    ("memrchr", "ppip"),
    ("memset", "ppip"),
    ("nearbyint", "dd"),
    ("pow", "ddd"),
    ("printf", "ip."),
    ("putc", "iip"),
    ("putchar", "ii"),
    ("puts", "ip"),
    ("realloc", "ppp"),
    ("rint", "dd"),
    ("round", "dd"),
    ("roundf", "ff"),
    ("sin", "dd"),
    ("sincos", "vdpp"),
    ("snprintf", "ippp."),
    ("sprintf", "ipp."),
    ("sqrt", "dd"),
    ("sqrtf", "ff"),
    ("stpcpy", "ppp"),
    ("strcat", "ppp"),
    ("strchr", "ppi"),
    ("strcmp", "ipp"),
    ("strcpy", "ppp"),
    ("strcspn", "ppp"),
    ("strdup", "pp"),
    ("strlen", "pp"),
    ("strncat", "pppp"),
    ("strncmp", "ippp"),
    ("strncpy", "pppp"),
    ("strndup", "ppp"),
    ("strnlen", "ppp"),
    ("strpbrk", "ppp"),
    ("strrchr", "ppi"),
    ("strspn", "ppp"),
    ("strstr", "ppp"),
    ("strtod", "dpp"),
    ("strtol", "pppi"),
    ("strtoll", "pppi"),
    ("strtoul", "pppi"),
    ("strtoull", "pppi"),
    ("tan", "dd"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("trunc", "dd"),
    ("truncf", "ff"),
    ("ungetc", "iip"),
    ("vfprintf", "ippp"),
    ("vprintf", "ipp"),
    ("vsnprintf", "ipppp"),
    ("vsprintf", "ippp"),
    ("__assert_fail", "vppi"),
    ("__ctype_b_loc", "p"),
    ("__ctype_tolower_loc", "p"),
    ("__ctype_toupper_loc", "p"),
    ("__errno_location", "p"),
    ("__fprintf_chk", "ipip."),
    ("__isoc23_strtol", "pppi"),
    ("__isoc23_strtoll", "pppi"),
    ("__isoc23_strtoul", "pppi"),
    ("__isoc23_strtoull", "pppi"),
    ("__isoc99_strtol", "pppi"),
    ("__memcpy_chk", "ppppp"),
    ("__memmove_chk", "ppppp"),
    ("__memset_chk", "ppipp"),
    ("__printf_chk", "iip."),
    ("__snprintf_chk", "ippipp."),
    ("__sprintf_chk", "ipipp."),
    ("__stack_chk_fail", "v"),
    ("__strcat_chk", "pppp"),
    ("__strcpy_chk", "pppp"),
    ("__strncpy_chk", "ppppp"),
    ("__vfprintf_chk", "ipipp"),
    ("__vsnprintf_chk", "ippippp"),
];

/// How a function of the library is called.
#[must_use]
pub fn convention(abi: &'static Abi, name: &str) -> Option<Convention> {
    let (general, vectors) = passed(abi);
    let n = LIBRARY.binary_search_by(|(known, _)| order(known, name)).ok()?;
    let mut letters = LIBRARY[n].1.chars();
    let mut made = Convention::default();
    match letters.next() {
        Some('d') => made.results.push(Piece { register: vectors[0], bits: 64 }),
        Some('f') => made.results.push(Piece { register: vectors[0], bits: 32 }),
        Some('p') => made.results.push(Piece { register: abi.results[0], bits: 64 }),
        Some('i') => made.results.push(Piece { register: abi.results[0], bits: 32 }),
        Some(_) | None => {}
    }
    let (mut general, mut vectors) = (general.iter(), vectors.iter());
    for letter in letters {
        let (registers, bits) = match letter {
            'p' => (&mut general, 64),
            'i' => (&mut general, 32),
            'd' => (&mut vectors, 64),
            'f' => (&mut vectors, 32),
            _ => {
                made.variadic = true;
                continue;
            }
        };
        made.arguments.extend(registers.next().map(|register| Piece { register: *register, bits }));
    }
    if abi.widens {
        widen(abi, &mut made);
    }
    Some(made)
}

/// Lets what is narrower than its register fill that: numbers with their sign.
fn widen(abi: &Abi, made: &mut Convention) {
    let lists =
        [(&mut made.arguments, &mut made.filled_arguments), (&mut made.results, &mut made.filled_results)];
    for (pieces, all) in lists {
        for piece in pieces {
            let above = if piece.register < abi.general { Above::Sign } else { Above::Ones };
            let (whole, filled) = Filled::piece(piece.register, piece.bits, above);
            *piece = whole;
            all.extend(filled);
        }
    }
}

/// Whether a function's last parameter tells who calls it in words that C leaves to compilers (`__func__` in a longer form): it
/// does not count, whatever a declaration says.
#[must_use]
pub fn tells_its_caller(name: &str) -> bool {
    name == "__assert_fail"
}

/// Names of functions by which compilers compute what processors have no instruction for, but for underscores in front and
/// the letters of the types behind: of integers and of floating point.
const ARITHMETIC: &[&str] = &[
    "absv", "addv", "ashl", "ashr", "bswap", "clrsb", "clz", "cmp", "ctz", "div", "divmod", "ffs", "lshr",
    "mod", "mul", "mulo", "mulv", "neg", "negv", "parity", "popcount", "subv", "ucmp", "udiv", "udivmod",
    "umod", "add", "sub", "eq", "ge", "gt", "le", "lt", "ne", "unord", "fix", "fixuns", "float", "floatun",
    "extend", "trunc", "powi",
];

/// Whether a function of the compiler's own library computes a number of numbers: compilers know of which, and may compute it
/// otherwise.
#[must_use]
pub fn is_arithmetic(name: &str) -> bool {
    let Some(plain) = name.strip_prefix("__") else { return false };
    let stem = plain.trim_end_matches(|c: char| c.is_ascii_digit());
    let types = ["qi", "hi", "si", "di", "ti", "hf", "sf", "df", "xf", "tf"];
    let mut rest = stem;
    let mut letters = 0;
    while let Some(shorter) = types.iter().find_map(|t| rest.strip_suffix(t)) {
        (rest, letters) = (shorter, letters + 1);
    }
    (1..=2).contains(&letters) && ARITHMETIC.contains(&rest)
}

/// Names with underscores come last.
fn order(a: &str, b: &str) -> std::cmp::Ordering {
    (a.starts_with('_'), a).cmp(&(b.starts_with('_'), b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use langs::machine_code::x86::SYSV;

    #[test]
    fn the_table_is_in_order_and_is_found() {
        assert!(LIBRARY.windows(2).all(|two| order(two[0].0, two[1].0).is_lt()));
        for (name, letters) in LIBRARY {
            let made = convention(&SYSV, name).expect("known");
            assert_eq!(made.variadic, letters.ends_with('.'), "{name}");
            assert_eq!(made.arguments.len(), letters.trim_end_matches('.').len() - 1, "{name}");
        }
        assert!(convention(&SYSV, "nothing").is_none());
        assert!(
            ["__popcountdi2", "__udivti3", "__floattidf", "__ashlti3", "__muloti4"]
                .into_iter()
                .all(is_arithmetic)
        );
        assert!(
            !["popcountdi2", "__popcount", "__memcpy_chk", "__divert", "__fixer"]
                .into_iter()
                .any(is_arithmetic)
        );
    }
}
