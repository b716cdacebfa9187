//! Without a compiler: gcc's macros, headers of our own where compilers have theirs, and the C library's.

mod common;

use common::{Disk, ask_gcc, gcc, split};
use preprocess::{Compiler, Options};

#[test]
fn the_library_s_headers_can_be_read() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stddef.h>\n#include <stdarg.h>\n\
        #include <limits.h>\n#include <float.h>\n#include <stdint.h>\n#include <stdbool.h>\n#include <iso646.h>\n#include <math.h>\n\
        #include <stdalign.h>\n#include <stdnoreturn.h>\n#include <assert.h>\n#include <time.h>\n#include <wchar.h>\n#include <stdckdint.h>\n\
        _Static_assert(INT_MAX == 2147483647 and CHAR_BIT == 8 and LONG_MIN < 0 and ULLONG_MAX > 0 and PATH_MAX > 0, \"\");\n\
        _Static_assert(offsetof(struct { char a; int b; }, b) == 4 and sizeof(size_t) == 8 and alignof(max_align_t) == 16, \"\");\n\
        _Static_assert(DBL_MAX > FLT_MAX and LDBL_DIG >= DBL_DIG and FLT_RADIX == 2 and DBL_TRUE_MIN > 0, \"\");\n\
        noreturn void stop(int n, ...) { va_list l; va_start(l, n); bool b = va_arg(l, int); va_end(l); exit(b ? 1 : 0); }\n\
        bool add(int *r, int a, int b) { return ckd_add(r, a, b) or ckd_sub(r, a, b) or ckd_mul(r, a, b); }\n\
        _Static_assert(BITINT_MAXWIDTH >= 64, \"\");\n\
        wchar_t *p = NULL; ptrdiff_t d; wint_t w; uint64_t u = UINT64_MAX;\n";
    let compiler = Compiler::without_compiler();
    let options = Options { name: "t.c".to_owned(), ..Options::default() };
    let done = preprocess::preprocess(compiler.source(text.into()), &options, &compiler, &mut Disk);
    let done = done.unwrap_or_else(|error| panic!("{}", error.rendered()));
    let checked = gcc(&["-x", "c", "-fpreprocessed", "-fsyntax-only", "-w", "-"], &done.text);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

/// The width of the widest `_BitInt`, or that there is none.
fn widest(compiler: &Compiler) -> String {
    let text = "#ifdef __BITINT_MAXWIDTH__\n__BITINT_MAXWIDTH__\n#else\nnone\n#endif\n";
    let options = Options { name: "t.c".to_owned(), ..Options::default() };
    let done = preprocess::preprocess(compiler.source(text.into()), &options, compiler, &mut Disk);
    let text = done.unwrap_or_else(|error| panic!("{error}")).text;
    split(&text).last().map(|token| token.2.clone()).unwrap_or_default()
}

#[test]
fn the_widest_bit_int_is_the_compiler_s_or_plumb_s() {
    assert_eq!(widest(&Compiler::without_compiler()), "128", "what the checker takes (`WIDEST_BIT_INT`)");
    assert_eq!(widest(&common::compiler("#define __BITINT_MAXWIDTH__ 65535\n")), "65535");
    assert_eq!(widest(&common::compiler("")), "none");
    match common::ask("clang-19", &["-std=gnu2x"]) {
        Some(clang) => assert_eq!(widest(&clang), "8388608"),
        None => eprintln!("clang-19 is not here: it is not asked"),
    }
}

#[test]
fn what_a_compiler_says_survives_its_text() {
    let asked = ask_gcc(&["-std=c11"]);
    let again = Compiler::from_text(&asked.to_text()).expect("our own text");
    assert_eq!(asked.to_text(), again.to_text());
    let text = "#include <stdio.h>\n__INT_MAX__ __has_attribute(unused) __has_builtin(__builtin_expect)\n";
    let of = |compiler: &Compiler| {
        let options = Options { name: "t.c".to_owned(), ..Options::default() };
        let done = preprocess::preprocess(compiler.source(text.into()), &options, compiler, &mut Disk);
        split(&done.unwrap_or_else(|error| panic!("{error}")).text)
    };
    assert_eq!(of(&asked), of(&again));
}

#[test]
fn damaged_texts_are_refused() {
    let text = ask_gcc(&[]).to_text();
    for cut in [0, 1, 10, 100, 500] {
        assert!(Compiler::from_text(&text[..cut]).is_err());
    }
    for text in [
        &b"macro\n"[..],
        b"answer a b 1\nmacros\n",
        b"operator __has_x\nanswer __has_x y z\nmacros\n",
        b"bracket\nmacros\n",
        b"\xff \xff\n",
    ] {
        assert!(Compiler::from_text(text).is_err(), "{}", String::from_utf8_lossy(text));
    }
    assert!(Compiler::parse(b"", b"").is_err());
}
