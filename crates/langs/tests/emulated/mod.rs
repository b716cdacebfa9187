//! Instructions run by an emulator: a program that takes the number of an instruction and a state, and gives the state behind
//! it. What it is made of differs by machine.

#![allow(dead_code)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Bytes of a state.
pub const STATE: usize = 192;

/// The program beside its instructions: `table` has for each what runs it on a state, and where it lies.
pub const MAIN: &str = r#"
#include <stdio.h>
struct entry { void (*run)(unsigned char *); unsigned *begin; };
extern struct entry table[];
int main(void) {
    int n, run; static _Alignas(16) unsigned char s[192 + 4096];
    while (scanf("%d %d", &n, &run) == 2) {
        for (int i = 0; run && i < 192; i++) { unsigned v; if (scanf("%2x", &v) != 1) return 1; s[i] = v; }
        printf("%x ", *table[n].begin);
        if (run) { table[n].run(s); for (int i = 0; i < 192; i++) printf("%02x", s[i]); }
        printf("\n");
    }
    return 0;
}
"#;

/// The compiler and the emulator of a machine, where both are here; where not, that is said aloud.
pub fn tools(machine: &'static str) -> Option<(String, String)> {
    let tools = (format!("{machine}-linux-gnu-gcc"), format!("qemu-{machine}"));
    let is_here =
        |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|out| out.status.success());
    let here = is_here(&tools.0) && is_here(&tools.1);
    if !here {
        eprintln!("SKIPPED: no `{}` or no `{}` here", tools.0, tools.1);
    }
    here.then_some(tools)
}

/// Makes the program of instructions in assembly.
pub fn make(compiler: &str, dir: &Path, assembly: &str) -> std::path::PathBuf {
    let (asm, main, program) = (dir.join("i.s"), dir.join("m.c"), dir.join("p"));
    std::fs::write(&asm, assembly).expect("writable");
    std::fs::write(&main, MAIN).expect("writable");
    let mut gcc = Command::new(compiler);
    let made =
        gcc.args(["-O1", "-static"]).args([&main, &asm]).arg("-o").arg(&program).output().expect("gcc");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    program
}

/// Runs the program on an input; the lines that it gives.
pub fn run(emulator: &str, program: &Path, input: &str) -> Vec<String> {
    fed(Command::new(emulator).arg(program), input)
}

/// Runs a command on an input; the lines that it gives.
pub fn fed(command: &mut Command, input: &str) -> Vec<String> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = input.to_owned();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(text.as_bytes());
    });
    let done = child.wait_with_output().expect("ends");
    writer.join().expect("written");
    assert!(done.status.success(), "the harness ended with {}", done.status);
    String::from_utf8(done.stdout).expect("text").lines().map(str::to_owned).collect()
}

/// The first words of so many instructions.
pub fn words(emulator: &str, program: &Path, count: usize) -> Vec<u32> {
    let asked: String = (0..count).map(|n| format!("{n} 0\n")).collect();
    let lines = run(emulator, program, &asked);
    let words: Vec<u32> =
        lines.iter().map(|line| u32::from_str_radix(line.trim(), 16).expect("hex")).collect();
    assert_eq!(words.len(), count);
    words
}

/// Bytes as text.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The state that a line ends with.
pub fn state_of(line: &str) -> Vec<u8> {
    let text = line.split_once(' ').expect("a state").1;
    (0..text.len() / 2).map(|n| u8::from_str_radix(&text[2 * n..2 * n + 2], 16).expect("hex")).collect()
}

/// The number that bytes are.
pub fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |n, b| n << 8 | u128::from(*b))
}
