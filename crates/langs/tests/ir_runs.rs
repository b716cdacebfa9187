//! The LLVM IR semantics run on numbers, against compiled code: C functions through clang at several levels.

use equiv::{Next, Semantics, Shape, State, Val};
use langs::llvm_ir::program::{Boundary, Program};
use langs::llvm_ir::semantics::{Checks, Ir, Side};
use langs::memory::access::AccessCheck;
use smt::{ArrayVal, Bv, Concrete};
use std::fmt::Write as _;
use std::process::Command;

/// Functions of two 64-bit numbers, free of undefined behaviour and calls.
const C: &str = "
typedef unsigned long u64; typedef unsigned u32; typedef unsigned short u16; typedef unsigned char u8;
struct P { u8 a; u32 b; u16 c[3]; };
#define F(n) __attribute__((noinline)) u64 n(u64 x, u64 y)
F(f0) { return x * 3 + y / 7 - (x ^ y); }
F(f1) { return (long)x / 10 + (int)y % 7; }
F(f2) { u64 s = 0; for (u32 i = 0; i < (y & 63); i++) s = s * 31 + (x >> (i & 31)); return s; }
F(f3) { switch (x & 7) { case 0: return y; case 1: return y + 5; case 3: return ~y; case 4: return x; case 6: return 12; default: return x - y; } }
F(f4) { struct P p = { x, y, { x >> 3, y >> 5, 9 } }; p.c[y % 3] += (u16)x; return p.a + p.b * 3ul + p.c[0] + p.c[1] * 5 + p.c[2] * 11; }
F(f5) { u32 a[16]; for (int i = 0; i < 16; i++) a[i] = (u32)x * i + (u32)y; u64 s = 0; for (int i = 15; i >= 0; i--) s ^= (u64)a[i] << (i & 7); return s; }
F(f6) { return __builtin_popcountl(x) + __builtin_clzl(y | 1) * 100 + __builtin_ctzl(x | 256) * 10000; }
F(f7) { return (u64)((unsigned __int128)x * y >> 64) + __builtin_bswap64(x) + __builtin_bswap32((u32)y); }
F(f8) { u32 a = (u32)x, n = y & 31; return ((a << n) | (a >> ((32 - n) & 31))) + (x << (y & 63) | x >> (-y & 63)); }
F(f9) { int a = (int)x, b = (int)y, r; return __builtin_add_overflow(a, b, &r) ? 1 : (u64)r * 2; }
F(f10) { char t[8]; __builtin_memcpy(t, &x, 8); t[y & 7] = (char)y; u64 r; __builtin_memcpy(&r, t, 8); return r; }
F(f11) { return ((int)x < (int)y ? (u8)x : (signed char)y) + (x < y) * 2 + ((long)x >= (long)y) * 4; }
F(f12) { u64 m = 0; for (;;) { if (x == 0) break; if (x & 1) { m += y; x--; continue; } x >>= 1; y <<= 1; } return m; }
F(f13) { union { u64 w; u16 h[4]; } u; u.w = x; u.h[1] ^= u.h[3]; return u.w + (y ? x % y : 3); }
";
const COUNT: usize = 14;

fn tool(command: &mut Command, what: &str) -> Vec<u8> {
    let output =
        command.output().unwrap_or_else(|e| panic!("{what} is needed for this test and does not start: {e}"));
    assert!(output.status.success(), "{what} failed: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn numbers() -> Vec<(u64, u64)> {
    let mut state = 88_172_645_463_325_252u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut out = vec![(0, 0), (1, 0), (u64::MAX, 1), (1 << 63, u64::MAX), (10, 3)];
    for i in 0..12 {
        out.push((next() >> (i * 4), next() >> ((11 - i) * 4)));
    }
    out
}

/// What the semantics says a function returns; none where a concrete run cannot tell.
fn run(program: &Program<'_>, x: u64, y: u64) -> Result<u64, String> {
    let mut d = Concrete::new(7);
    let vars = &program.shape().point(Shape::ENTRY).vars;
    let mut args = [x, y].into_iter();
    let vals = vars
        .iter()
        .map(|v| match v.name.as_str() {
            "mem" => Val::Mem(ArrayVal::new(64, Bv::zero(8))),
            "perm" => Val::Mem(ArrayVal::new(64, Bv::ones(8))),
            _ => Val::Bv(Bv::new(64, u128::from(args.next().unwrap_or(0)))),
        })
        .collect();
    let mut state = State::<Concrete> { at: Shape::ENTRY, vals };
    for _ in 0..100_000 {
        let way = program.step(&mut d, &state).into_iter().find(|w| w.cond).ok_or("no way on")?;
        match way.next {
            Next::Go(to) => state = to,
            Next::Exit(vals) => return vals[0].bv().to_u64().ok_or_else(|| "wide result".into()),
            Next::Error(what, place) => return Err(format!("{what} at {place}")),
            Next::Unsupported(what, place) => return Err(format!("unsupported {what} at {place}")),
            Next::Event(event, _) => return Err(format!("event {}", event.label)),
        }
    }
    Err("out of steps".into())
}

#[test]
fn ir_runs_as_compiled_code_does() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("f.c"), C).unwrap();
    let mut driver = String::from("#include <stdio.h>\ntypedef unsigned long u64;\n");
    for i in 0..COUNT {
        let _ = writeln!(driver, "u64 f{i}(u64, u64);");
    }
    driver.push_str("int main(void) { static const u64 in[][2] = {\n");
    for (x, y) in numbers() {
        let _ = writeln!(driver, "{{{x}ul, {y}ul}},");
    }
    driver.push_str("};\nfor (unsigned i = 0; i < sizeof in / sizeof *in; i++) {\n");
    for i in 0..COUNT {
        let _ = writeln!(driver, "printf(\"%lu\\n\", f{i}(in[i][0], in[i][1]));");
    }
    driver.push_str("} return 0; }\n");
    std::fs::write(path("d.c"), driver).unwrap();
    tool(
        Command::new("gcc").args(["-w", "-O1", "-o"]).arg(path("run")).arg(path("f.c")).arg(path("d.c")),
        "gcc",
    );
    let expected: Vec<u64> = String::from_utf8(tool(&mut Command::new(path("run")), "the compiled program"))
        .unwrap()
        .lines()
        .map(|l| l.parse().unwrap())
        .collect();
    assert_eq!(expected.len(), COUNT * numbers().len());

    let (mut compared, mut wrong) = (0, Vec::new());
    for (compiler, level) in
        [("clang-19", "-O0"), ("clang-19", "-O1"), ("clang-19", "-O2"), ("clang-14", "-O2")]
    {
        tool(
            Command::new(compiler)
                .args(["-w", level, "-S", "-emit-llvm", "-o"])
                .arg(path("f.ll"))
                .arg(path("f.c")),
            compiler,
        );
        let m = langs::llvm_ir::parse(&std::fs::read(path("f.ll")).unwrap()).unwrap();
        for i in 0..COUNT {
            let f = m.functions.iter().find(|f| m.names.text(f.name) == format!("f{i}")).unwrap();
            let checks = Checks { access: AccessCheck::Off, exact: false };
            let program = Program::new(Ir::new(&m, f, Side::Source, checks), Boundary::default()).unwrap();
            for (n, (x, y)) in numbers().into_iter().enumerate() {
                let expected = expected[n * COUNT + i];
                match run(&program, x, y) {
                    Ok(found) if found == expected => compared += 1,
                    Ok(found) => {
                        wrong.push(format!("{compiler} {level} f{i}({x}, {y}): {found}, not {expected}"))
                    }
                    // What is not covered says so; it must stay the exception.
                    Err(e) if e.starts_with("unsupported") => {}
                    Err(e) => wrong.push(format!("{compiler} {level} f{i}({x}, {y}): {e}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = 4 * COUNT * numbers().len();
    assert!(compared * 10 >= all * 9, "only {compared} of {all} runs could be compared");
}

/// Masks of classes: each alone, and some together.
const CLASSES: [u64; 18] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 0, 1023, 519, 3, 96, 0x204, 0x1f8, 0x0f1];

/// A function that tells, a bit for each mask, whether a number of a format is of one of its classes.
fn classes_of(format: &str, bits: u32, short: &str) -> String {
    let narrow = if bits == 64 { "%n = add i64 %x, 0" } else { "%n = trunc i64 %x to i32" };
    let mut ir = format!(
        "declare i1 @llvm.is.fpclass.{short}({format}, i32)\ndefine i64 @{short}(i64 %x, i64 %y) {{\n  {narrow}\n"
    );
    let _ = writeln!(ir, "  %v = bitcast i{bits} %n to {format}\n  %a0 = add i64 0, 0");
    for (i, mask) in CLASSES.iter().enumerate() {
        let _ = writeln!(ir, "  %c{i} = call i1 @llvm.is.fpclass.{short}({format} %v, i32 {mask})");
        let _ = writeln!(ir, "  %z{i} = zext i1 %c{i} to i64\n  %s{i} = shl i64 %z{i}, {i}");
        let _ = writeln!(ir, "  %a{} = or i64 %a{i}, %s{i}", i + 1);
    }
    let _ = writeln!(ir, "  ret i64 %a{}\n}}", CLASSES.len());
    ir
}

#[test]
fn classes_of_numbers_are_those_of_compiled_code() {
    let ir = classes_of("double", 64, "f64") + &classes_of("float", 32, "f32");
    let mut inputs = Vec::new();
    for (bits, mantissa) in [(64, 52), (32, 23)] {
        let infinity = ((1u64 << (bits - 1 - mantissa)) - 1) << mantissa;
        let (least, quiet) = (1u64 << mantissa, 1u64 << (mantissa - 1));
        for start in [0, least, infinity, infinity + quiet, 1 << (bits - 1) >> 1] {
            for k in [start.saturating_sub(1), start, start + 1, start + 12_345] {
                inputs.extend([k, k | 1 << (bits - 1)]);
            }
        }
    }
    inputs.extend(numbers().into_iter().map(|n| n.0));
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let list: Vec<String> = inputs.iter().map(|x| format!("{x}ul")).collect();
    let driver = format!(
        "#include <stdio.h>\nunsigned long f64(unsigned long, unsigned long), f32(unsigned long, unsigned long);
int main(void) {{ static const unsigned long in[] = {{{}}};
for (unsigned i = 0; i < sizeof in / sizeof *in; i++) printf(\"%lu\\n%lu\\n\", f64(in[i], 0), f32(in[i], 0));
return 0; }}\n",
        list.join(", ")
    );
    std::fs::write(path("f.ll"), &ir).unwrap();
    std::fs::write(path("d.c"), driver).unwrap();
    let mut compile = Command::new("clang-19");
    compile.args(["-w", "-O0", "-o"]).arg(path("run")).arg(path("f.ll")).arg(path("d.c"));
    tool(&mut compile, "clang-19");
    let output = String::from_utf8(tool(&mut Command::new(path("run")), "the compiled program")).unwrap();
    let mut expected = output.lines().map(|l| l.parse::<u64>().unwrap());

    let m = langs::llvm_ir::parse(ir.as_bytes()).unwrap();
    for x in inputs {
        for name in ["f64", "f32"] {
            let f = m.functions.iter().find(|f| f.defined && m.names.text(f.name) == name).unwrap();
            let checks = Checks { access: AccessCheck::Off, exact: false };
            let program = Program::new(Ir::new(&m, f, Side::Source, checks), Boundary::default()).unwrap();
            assert_eq!(run(&program, x, 0), Ok(expected.next().unwrap()), "{name} {x:#x}");
        }
    }
}

#[test]
fn printed_modules_read_back_and_satisfy_llvm() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("f.c"), C).unwrap();
    for (compiler, level) in [("clang-19", "-O0"), ("clang-19", "-O2"), ("clang-14", "-O2")] {
        tool(
            Command::new(compiler)
                .args(["-w", level, "-S", "-emit-llvm", "-o"])
                .arg(path("f.ll"))
                .arg(path("f.c")),
            compiler,
        );
        let m = langs::llvm_ir::parse(&std::fs::read(path("f.ll")).unwrap()).unwrap();
        let printed = langs::llvm_ir::print(&m);
        let again =
            langs::llvm_ir::parse(printed.as_bytes()).unwrap_or_else(|e| panic!("{level}: {e}\n{printed}"));
        assert!(again.damaged.is_empty(), "{:?}", again.damaged);
        assert_eq!(langs::llvm_ir::print(&again), printed, "{compiler} {level}");
        std::fs::write(path("p.ll"), &printed).unwrap();
        tool(Command::new("opt-19").args(["-passes=verify", "-disable-output"]).arg(path("p.ll")), "opt-19");
    }
}
