//! The same tokens on the same lines as `gcc -E`: system headers, csmith programs, random macros, and whatever the
//! variable `PLUMB_CPP_FILES` names (files or directories, with `-I` options between them).

mod common;

use common::{Disk, ask_gcc, gcc, split};
use preprocess::{Compiler, ErrorKind, MacroOption, Options};
use std::fmt::Write as _;
use std::path::Path;

#[derive(Default, Debug)]
struct Tally {
    same: usize,
    refused: usize,
    left_to_gcc: usize,
}

/// Preprocesses with both and compares.
fn compare(path: &Path, include: &[String], compiler: &Compiler, tally: &mut Tally) {
    let name = path.display().to_string();
    let mut args = vec!["-E", "-x", "c", &name];
    let dirs: Vec<String> = include.iter().map(|dir| format!("-I{dir}")).collect();
    args.extend(dirs.iter().map(String::as_str));
    let theirs = gcc(&args, b"");
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let options = Options { name: name.clone(), include: include.to_vec(), ..Options::default() };
    let ours = preprocess::preprocess(compiler.source(text), &options, compiler, &mut Disk);
    match ours {
        Err(error) if error.kind == ErrorKind::Unhandled => {
            println!("{error}");
            tally.left_to_gcc += 1;
        }
        Err(error) => {
            assert!(!theirs.status.success(), "gcc accepts what we refuse: {error}");
            tally.refused += 1;
        }
        Ok(ours) => {
            let said = String::from_utf8_lossy(&theirs.stderr);
            assert!(theirs.status.success(), "{name}: gcc refuses what we accept: {said}");
            let (ours, theirs) = (split(&ours.text), split(&theirs.stdout));
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert_eq!(ours, theirs, "{name}");
            }
            assert_eq!(ours.len(), theirs.len(), "{name}");
            tally.same += 1;
        }
    }
}

#[test]
fn system_headers() {
    let headers = [
        "assert.h",
        "complex.h",
        "ctype.h",
        "errno.h",
        "fenv.h",
        "inttypes.h",
        "limits.h",
        "locale.h",
        "math.h",
        "setjmp.h",
        "signal.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "tgmath.h",
        "threads.h",
        "time.h",
        "unistd.h",
        "wchar.h",
        "pthread.h",
        "sys/stat.h",
        "regex.h",
        "fcntl.h",
    ];
    let compiler = ask_gcc(&[]);
    let mut tally = Tally::default();
    for header in headers {
        let found = ["/usr/include", "/usr/include/x86_64-linux-gnu"].map(|dir| Path::new(dir).join(header));
        let path = found.iter().find(|path| path.is_file()).unwrap_or_else(|| panic!("{header} is missing"));
        compare(path, &[], &compiler, &mut tally);
    }
    assert!(tally.same == headers.len() && tally.left_to_gcc == 0, "{tally:?}");
}

#[test]
fn standards_and_macros_from_the_command_line() {
    let text = "#ifdef X // c\n??(X??/\n;Y(2) u8\"a\" R\"(b)\" __STRICT_ANSI__ linux __STDC_VERSION__ __LP64__ __CHAR_UNSIGNED__\n#endif\n";
    for standard in [
        "-std=c89",
        "-std=gnu89",
        "-std=c99",
        "-std=gnu99",
        "-std=c11",
        "-std=gnu17",
        "-m32",
        "-funsigned-char",
    ] {
        let theirs = gcc(&[standard, "-DX", "-D", "Y(a)=a a", "-DZ=1", "-UZ", "-E", "-"], text.as_bytes());
        assert!(theirs.status.success(), "{standard}");
        let compiler = ask_gcc(&[standard]);
        let define = |text: &str| MacroOption::Define(text.to_owned());
        let macros =
            vec![define("X"), define("Y(a)=a a"), define("Z=1"), MacroOption::Undefine("Z".to_owned())];
        let options = Options { name: "<stdin>".to_owned(), macros, ..Options::default() };
        let ours = preprocess::preprocess(compiler.source(text.into()), &options, &compiler, &mut Disk);
        let ours = ours.unwrap_or_else(|error| panic!("{standard}: {error}"));
        assert_eq!(split(&ours.text), split(&theirs.stdout), "{standard}");
    }
}

/// A small generator of numbers: the tests are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const NAMES: &[&str] = &["A", "B", "C", "F", "G", "H", "x", "y"];
const TOKENS: &[&str] = &[
    "A",
    "B",
    "C",
    "F",
    "G",
    "H",
    "A",
    "B",
    "F",
    "G",
    "H",
    "x",
    "(",
    ")",
    "(",
    ")",
    ",",
    "1",
    ".5e+",
    "\"s\\n\"",
    "'c'",
    "+",
    "-",
    "=",
    "<",
    ">",
    "#",
    "L",
    "/",
    "*",
    "%",
    ":",
    "&",
    "...",
    "__LINE__",
    "__COUNTER__",
    "\\\n",
    "/* c\n */",
    "// e\n",
    "\n",
    "_Pragma(\"p q\")",
    "->",
    "F(1)",
    "G(x,2)",
    "H(A,B,C)",
    "F(\n",
    "G(A\n,",
    "defined",
];

/// Macros that call, paste and stringify each other, and uses of them.
fn program(dice: &mut Dice) -> String {
    let mut text = String::new();
    let words = |dice: &mut Dice, words: &[&str], most: usize| {
        let count = dice.below(most);
        let gaps = [" ", "", " ", "  "];
        (0..count).map(|_| format!("{}{}", dice.pick(words), gaps[dice.below(4)])).collect::<String>()
    };
    for _ in 0..8 + dice.below(10) {
        let params = ["", "p", "p,q", "p,...", "...", "p,n..."][dice.below(6)];
        let mut operands: Vec<&str> = params.split(',').filter(|p| !p.is_empty()).collect();
        for operand in &mut operands {
            *operand = match *operand {
                "..." => "__VA_ARGS__",
                "n..." => "n",
                plain => plain,
            };
        }
        let mut body = String::new();
        for _ in 0..dice.below(6) {
            let operand = if operands.is_empty() { "x" } else { operands[dice.below(operands.len())] };
            let _ = match dice.below(8) {
                0 if !operands.is_empty() => write!(body, " #{operand}"),
                1 => write!(body, " {operand} ## {}", dice.pick(NAMES)),
                2 if !operands.is_empty() => write!(body, " , ## {operand}"),
                3 if params.ends_with('.') && operand != "n" && params != "p,n..." => {
                    write!(body, " __VA_OPT__({operand} x)")
                }
                4 | 5 => write!(body, " {operand}"),
                _ => write!(
                    body,
                    " {}",
                    dice.pick(TOKENS)
                        .replace(['\n', '#'], " ")
                        .replace("//", "")
                        .replace("/*", "")
                        .replace('\\', "")
                ),
            };
        }
        let _ = match dice.below(10) {
            0..=2 => writeln!(text, "#define {}({params}){body}", dice.pick(&["F", "G", "H"])),
            3 => writeln!(text, "#define {} {}", dice.pick(&["A", "B", "C"]), words(dice, NAMES, 5)),
            4 => writeln!(text, "#undef {}", dice.pick(NAMES)),
            5 => writeln!(
                text,
                "#if {} || 1 + 2 * 3 == 7\n{}\n#else\n'\n#endif",
                dice.pick(&["defined A", "A", "-1 > 0u"]),
                dice.pick(TOKENS).replace('(', "")
            ),
            _ => {
                let name = dice.pick(&["F", "G", "H"]);
                let arguments = words(dice, TOKENS, 6);
                writeln!(text, "{name}({arguments}) {}", words(dice, TOKENS, 5))
            }
        };
    }
    text
}

#[test]
fn random_macros() {
    let compiler = ask_gcc(&[]);
    let (mut same, mut refused) = (0, 0);
    let rounds = std::env::var("PLUMB_CPP_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for seed in 0..rounds {
        let text = program(&mut Dice(seed));
        let theirs = gcc(&["-E", "-"], text.as_bytes());
        let options = Options { name: "<stdin>".to_owned(), ..Options::default() };
        let ours =
            preprocess::preprocess(compiler.source(text.clone().into()), &options, &compiler, &mut Disk);
        match ours {
            Err(error) => {
                assert!(!theirs.status.success(), "seed {seed}: gcc accepts what we refuse: {error}\n{text}");
                refused += 1;
            }
            Ok(ours) => {
                let said = String::from_utf8_lossy(&theirs.stderr);
                assert!(theirs.status.success(), "seed {seed}: gcc refuses: {said}\n{text}");
                assert_eq!(split(&ours.text), split(&theirs.stdout), "seed {seed}\n{text}");
                same += 1;
            }
        }
    }
    assert!(
        same * 5 > rounds,
        "{same} of {rounds} the same, {refused} refused by both: too few say anything"
    );
}

#[test]
#[ignore = "compares whatever PLUMB_CPP_FILES names"]
fn files() {
    let files = std::env::var("PLUMB_CPP_FILES").expect("PLUMB_CPP_FILES names files and directories");
    let compiler = ask_gcc(&[]);
    let mut include = Vec::new();
    let mut tally = Tally::default();
    for word in files.split_ascii_whitespace() {
        let path = Path::new(word);
        if let Some(dir) = word.strip_prefix("-I") {
            include.push(dir.to_owned());
        } else if path.is_dir() {
            let mut found: Vec<_> =
                std::fs::read_dir(path).expect("readable").flatten().map(|e| e.path()).collect();
            found.sort();
            let c = |path: &Path| path.extension().is_some_and(|e| e == "c" || e == "h");
            found
                .iter()
                .filter(|path| c(path))
                .for_each(|path| compare(path, &include, &compiler, &mut tally));
        } else {
            compare(path, &include, &compiler, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.same > 0);
}
