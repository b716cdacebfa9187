//! The readers on damaged input: an error with a place, or what could be read; never a crash.

use langs::memory::access::AccessCheck;
use langs::pairs::{IselFile, isel_functions, isel_pair};
use std::path::Path;

fn samples() -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    for directory in ["equivalent", "broken", "vacuous"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/equiv").join(directory);
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            out.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
    out.sort();
    out
}

/// Reads and, where that works, prepares proofs.
fn digest(name: &str, bytes: &[u8]) {
    if name.ends_with(".mir") {
        if let Ok(m) = IselFile::parse(bytes) {
            for f in isel_functions(&m).0 {
                let _ = isel_pair(&m, &f, AccessCheck::Named);
            }
        }
    } else if let Err(e) = langs::llvm_ir::parse(bytes) {
        assert!(e.line > 0 && e.column > 0 && !e.message.is_empty());
    }
}

#[test]
fn truncated_files_are_no_crash() {
    for (name, bytes) in samples() {
        // Every place of short files, a thousand of long ones.
        for end in (0..bytes.len()).step_by(1 + bytes.len() / 1000) {
            digest(&name, &bytes[..end]);
        }
    }
}

#[test]
fn garbled_files_are_no_crash() {
    let mut state = 0x1234_5678_9abc_def1u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    let pieces: [&[u8]; 12] = [
        b"(",
        b"}",
        b"<",
        b"\"",
        b"%",
        b"@",
        b"i999999999",
        b"-1",
        b"\xff\x00",
        b"[9999999999 x ",
        b"%bb.",
        b"::",
    ];
    for (name, bytes) in samples() {
        for _ in 0..300 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + next() % 4 {
                let at = next() % bytes.len();
                match next() % 4 {
                    0 => bytes[at] = next() as u8,
                    1 => drop(bytes.remove(at)),
                    2 => {
                        let piece = pieces[next() % pieces.len()];
                        bytes.splice(at..at, piece.iter().copied());
                    }
                    _ => {
                        let to = (at + next() % 40).min(bytes.len());
                        let copy = bytes[at..to].to_vec();
                        let place = next() % bytes.len();
                        bytes.splice(place..place, copy);
                    }
                }
            }
            digest(&name, &bytes);
        }
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("[1 x ", "]"), ("{", "}"), ("<{", "}>")] {
        let text = format!("@g = global {}i8{} zeroinitializer", open.repeat(50_000), close.repeat(50_000));
        let error = langs::llvm_ir::parse(text.as_bytes()).unwrap_err();
        assert!(error.message.contains("deep"), "{error}");
    }
    let text = "%a = type { %a, %a }\n@g = global %a zeroinitializer\ndefine void @f() {\n  %x = alloca %a\n  ret void\n}\n";
    let m = langs::llvm_ir::parse(text.as_bytes()).unwrap();
    assert_eq!(m.layout.alloc_size(&m.types, m.globals[0].ty), None);
}

#[test]
fn an_error_in_one_function_leaves_the_others() {
    let text = "define i32 @bad() {\n  %x = frobnicate i32 1\n  ret i32 %x\n}\n\ndefine i32 @good(i32 %a) {\n  %b = add nsw i32 %a, 1\n  ret i32 %b\n}\n";
    let m = langs::llvm_ir::parse(text.as_bytes()).unwrap();
    assert_eq!(m.damaged.len(), 1);
    let error = &m.damaged[0].1;
    assert_eq!((error.line, m.names.text(m.damaged[0].0)), (2, "bad"));
    assert!(error.message.contains("frobnicate"));
    let good = m.functions.iter().find(|f| m.names.text(f.name) == "good").unwrap();
    assert!(good.defined && good.insts.len() == 2);
}

/// Of two functions of one name, what is said of one must not pass for the other.
#[test]
fn a_function_that_is_there_twice_is_an_error() {
    let text = "define i32 @f() {\n  ret i32 1\n}\ndefine i32 @f() {\n  ret i32 2\n}\n";
    let m = langs::llvm_ir::parse(text.as_bytes()).unwrap();
    assert_eq!(m.damaged.len(), 1);
    assert_eq!((m.damaged[0].1.line, m.names.text(m.damaged[0].0)), (4, "f"));

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/equiv/equivalent/arithm_seq_sum.mir");
    let text = std::fs::read_to_string(path).unwrap();
    let machine = &text[text.find("\n---\nname:").expect("a machine function") + 1..];
    let m = IselFile::parse(format!("{text}\n{machine}").as_bytes()).unwrap();
    let (both, lacking) = isel_functions(&m);
    assert_eq!((both.len(), lacking.len()), (1, 1), "{lacking:?}");
    assert!(lacking[0].1.contains("already there"), "{lacking:?}");
}
