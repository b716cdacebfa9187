//! The data model of a compiler, found by asking it: a small program is compiled, run and says what it sees.
//!
//! The same program is the first test of a compiler: one that cannot build and run it is refused before a hunt
//! starts.

use csyntax::target::{Endian, LongDouble, Target};
use toolchain::compiler::Family;

/// The probe: prints `name=value` lines; uses no header, so that it needs nothing installed but the compiler.
pub const PROBE: &str = r#"int printf(const char *, ...);
struct ll { char c; long long x; };
struct ld { char c; long double x; };
int main(void) {
  union { unsigned u; unsigned char b[4]; } order;
  volatile long double one = 1, half = 1;
  int digits = 0;
  __typeof__(L'a') wide = -1;
  order.u = 1;
  while (one + half > one) { half /= 2; digits++; }
  printf("short=%d\n", (int)sizeof(short));
  printf("int=%d\n", (int)sizeof(int));
  printf("long=%d\n", (int)sizeof(long));
  printf("longlong=%d\n", (int)sizeof(long long));
  printf("pointer=%d\n", (int)sizeof(void *));
  printf("wchar=%d\n", (int)sizeof(L'a'));
  printf("little=%d\n", order.b[0] == 1);
  printf("charsigned=%d\n", (char)-1 < 0);
  printf("wcharsigned=%d\n", wide < 0);
  printf("longdouble=%d\n", (int)sizeof(long double));
  printf("longdoublealign=%d\n", (int)__builtin_offsetof(struct ld, x));
  printf("longdoubledigits=%d\n", digits);
  printf("align8=%d\n", (int)__builtin_offsetof(struct ll, x));
#ifdef __SIZEOF_INT128__
  printf("int128=1\n");
#endif
#ifdef __BIGGEST_ALIGNMENT__
  printf("maxalign=%d\n", (int)__BIGGEST_ALIGNMENT__);
#endif
#if defined(__x86_64__)
  printf("x86=64\n");
#elif defined(__i386__)
  printf("x86=32\n");
#endif
#ifdef __SSE2_MATH__
  printf("sse2math=1\n");
#endif
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__FP_FAST_FMAF)
  printf("fma=1\n");
#endif
  return 42;
}
"#;

/// The exit status of the probe where it works.
pub const PROBE_STATUS: i32 = 42;

/// What the probe said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// The data model.
    pub target: Target,
    /// Whether programs run on an x86 of 32 or 64 bits.
    pub x86: Option<u32>,
    /// Flags without which the compiler's floating point is not that of the abstract machine, which rounds every
    /// operation to its type: no fused operations, no x87 excess precision.
    pub float_flags: Vec<String>,
}

/// Reads the probe's output.
pub fn read(family: Family, output: &str) -> Result<Answers, String> {
    let text = |name: &str| {
        output.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default().trim()
    };
    let number = |name: &str| text(name).parse::<u8>().map_err(|_| format!("the probe did not say `{name}`"));
    let exactly = |name: &str, wanted: u8| match number(name)? {
        seen if seen == wanted => Ok(()),
        seen => Err(format!("`{name}` has {seen} bytes here; the abstract machine knows only {wanted}")),
    };
    exactly("short", 2)?;
    exactly("int", 4)?;
    exactly("longlong", 8)?;
    exactly("wchar", 4)?;
    let (pointer, long) = (number("pointer")?, number("long")?);
    if ![4, 8].contains(&pointer) || ![4, 8].contains(&long) {
        return Err(format!("pointers of {pointer} and `long` of {long} bytes are not supported"));
    }
    let long_double = match number("longdoubledigits")? {
        53 => LongDouble::Double,
        64 => LongDouble::X87,
        113 => LongDouble::Quad,
        other => return Err(format!("a `long double` of {other} bits of precision is not supported")),
    };
    let little = number("little")? == 1;
    let x86 = match text("x86") {
        "64" => Some(64),
        "32" => Some(32),
        _ => None,
    };
    let mut float_flags = Vec::new();
    if matches!(family, Family::Gcc | Family::Clang | Family::ZigCc) {
        if x86 == Some(32) && text("sse2math").is_empty() {
            float_flags.extend(["-msse2", "-mfpmath=sse"].map(str::to_owned));
        }
        if x86.is_none() || !text("fma").is_empty() {
            float_flags.push("-ffp-contract=off".to_owned());
        }
    }
    let target = Target {
        name: match (pointer, little) {
            (8, true) => "lp64",
            (8, false) => "lp64be",
            (_, true) => "ilp32",
            (_, false) => "ilp32be",
        },
        pointer_bytes: pointer,
        long_bytes: long,
        endian: if little { Endian::Little } else { Endian::Big },
        char_signed: number("charsigned")? == 1,
        wchar_signed: number("wcharsigned")? == 1,
        long_double,
        long_double_bytes: number("longdouble")?,
        long_double_align: number("longdoublealign")?,
        align8: number("align8")?,
        int128: text("int128") == "1",
        // Without the macro, the largest alignment that a bare `aligned` means is unknown; 16 is the usual.
        max_align: number("maxalign").unwrap_or(16),
    };
    Ok(Answers { target, x86, float_flags })
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86_64: &str = "short=2\nint=4\nlong=8\nlonglong=8\npointer=8\nwchar=4\nlittle=1\ncharsigned=1\n\
        wcharsigned=1\nlongdouble=16\nlongdoublealign=16\nlongdoubledigits=64\nalign8=8\nint128=1\nmaxalign=16\n\
        x86=64\nsse2math=1\n";

    #[test]
    fn x86_64_is_lp64() {
        let answers = read(Family::Gcc, X86_64).unwrap();
        assert_eq!(answers.target, Target::LP64);
        assert!(answers.float_flags.is_empty());
    }

    #[test]
    fn fused_operations_are_switched_off() {
        let arm = X86_64.replace("x86=64\n", "");
        assert_eq!(read(Family::Gcc, &arm).unwrap().float_flags, ["-ffp-contract=off"]);
    }

    #[test]
    fn a_16_bit_int_is_refused() {
        let small = X86_64.replace("int=4\n", "int=2\n");
        assert!(read(Family::Gcc, &small).unwrap_err().contains("`int` has 2 bytes"));
    }

    #[test]
    fn garbage_is_refused() {
        assert!(read(Family::Gcc, "hello").unwrap_err().contains("did not say"));
    }
}
