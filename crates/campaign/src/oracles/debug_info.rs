//! The oracle of debug information: a compiler must emit the same instructions with `-g` and without, for else the program
//! that is debugged is another than the one that is shipped. A program is compiled to assembly both ways, and what this
//! file makes of the two texts (instructions alone, labels numbered) is compared.

use std::collections::{BTreeMap, BTreeSet};

/// The option whose absence must not be seen in the code.
pub const OPTION: &str = "-g";

/// The instructions of an assembly in order, with the labels that they name numbered as they come. Directives,
/// comments and labels that no instruction names (among them all of debug information) are left out.
pub fn instructions(assembly: &str) -> Vec<String> {
    let lines: Vec<&str> = assembly.lines().map(without_comment).filter(|line| !line.is_empty()).collect();
    let code = |line: &&str| line.starts_with([' ', '\t']) && !line.trim_start().starts_with('.');
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines.iter().copied().filter(code) {
        for (start, end) in labels(line) {
            let next = numbers.len();
            numbers.entry(&line[start..end]).or_insert(next);
        }
    }
    let mut out = Vec::new();
    for line in lines {
        let named = line.strip_suffix(':').map(|label| (label, numbers.get(label)));
        match named {
            Some((_, Some(number))) => out.push(format!("L{number}:")),
            Some((label, None)) if !label.starts_with(".L") => out.push(line.to_owned()),
            None if code(&line) => out.push(renamed(line, &numbers)),
            Some((_, None)) | None => {}
        }
    }
    out
}

/// The first instruction that two assemblies do not share, in words; `None` where they have the same.
pub fn difference(with: &str, without: &str) -> Option<String> {
    let (with, without) = (instructions(with), instructions(without));
    let at = (0..with.len().max(without.len())).find(|&n| with.get(n) != without.get(n))?;
    let shown =
        |all: &[String]| all.get(at).map_or("nothing".to_owned(), |line| format!("`{}`", line.trim()));
    Some(format!("{} with {OPTION}, and {} without", shown(&with), shown(&without)))
}

/// The instructions by name of which one assembly has more than the other: what tells one such bug from another.
pub fn mnemonics(with: &str, without: &str) -> String {
    let count = |text: &str| {
        let mut all: BTreeMap<String, u32> = BTreeMap::new();
        for line in instructions(text).iter().filter(|line| !line.ends_with(':')) {
            *all.entry(line.split_whitespace().next().unwrap_or_default().to_owned()).or_default() += 1;
        }
        all
    };
    let (with, without) = (count(with), count(without));
    let words: BTreeSet<&String> = with.keys().chain(without.keys()).collect();
    let other = |word: &&&String| with.get(**word) != without.get(**word);
    let differ: Vec<&str> = words.iter().filter(other).map(|word| word.as_str()).take(6).collect();
    if differ.is_empty() { "operands or order".to_owned() } else { differ.join(" ") }
}

/// A line without what an assembler skips at its end: `# imm = 0xFF`, `// =40`. A `#` before a digit is an operand.
fn without_comment(line: &str) -> &str {
    let start = |mark: &str| line.match_indices(mark).map(|(at, _)| at).find(|at| is_comment(line, *at));
    let cut = ["#", "//", "@ "].iter().filter_map(|mark| start(mark)).min().unwrap_or(line.len());
    line[..cut].trim_end()
}

fn is_comment(line: &str, at: usize) -> bool {
    let before = line[..at].chars().next_back();
    let after = line[at + 1..].chars().next();
    // Text in quotes stands in directives alone.
    before.is_none_or(char::is_whitespace)
        && !after.is_some_and(|c| c.is_ascii_digit() || c == '-' || c == ':')
}

/// Where local labels stand in a line.
fn labels(line: &str) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(at) = line[from..].find(".L") {
        let start = from + at;
        let more = |c: char| c.is_ascii_alphanumeric() || "._$".contains(c);
        let length = line[start + 1..].find(|c| !more(c)).unwrap_or(line.len() - start - 1) + 1;
        all.push((start, start + length));
        from = start + length;
    }
    all
}

fn renamed(line: &str, numbers: &BTreeMap<&str, usize>) -> String {
    let mut text = String::new();
    let mut from = 0;
    for (start, end) in labels(line) {
        text.push_str(&line[from..start]);
        match numbers.get(&line[start..end]) {
            Some(number) => text.push_str(&format!("L{number}")),
            None => text.push_str(&line[start..end]),
        }
        from = end;
    }
    text.push_str(&line[from..]);
    text
}

/// [`instructions`] as a program for `awk`.
pub const AWK: &str = r#"
{ sub(/^[ \t]*#[^0-9:-].*$/, ""); sub(/[ \t]+#[^0-9:-].*$/, ""); sub(/[ \t]*#$/, ""); sub(/[ \t]+(\/\/|@ ).*$/, "")
  sub(/[ \t]+$/, ""); if ($0 != "") line[++lines] = $0 }
function is_code(text) { return text ~ /^[ \t]/ && text !~ /^[ \t]*\./ }
function rename(text, out, name) {
  out = ""
  while (match(text, /\.L[A-Za-z0-9._$]*/)) {
    name = substr(text, RSTART, RLENGTH)
    if (!(name in number)) number[name] = "L" numbers++
    out = out substr(text, 1, RSTART - 1) number[name]
    text = substr(text, RSTART + RLENGTH)
  }
  return out text
}
END {
  for (n = 1; n <= lines; n++) if (is_code(line[n])) line[n] = rename(line[n])
  for (n = 1; n <= lines; n++) {
    label = line[n]
    if (sub(/:$/, "", label)) {
      if (label in number) print number[label] ":"; else if (label !~ /^\.L/) print line[n]
    } else if (is_code(line[n])) print line[n]
  }
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "\t.text\nf:\n.LFB0:\n\tcmpl\t$1, %edi # 3 is no comment of ours\n\tje\t.L3\n\
                         \tmovl\t.LC0(%rip), %eax\t# imm = 0x5\n.L3:\n\tret\n.LFE0:\n\t.section .rodata\n.LC0:\n";

    #[test]
    fn debug_information_is_no_difference_and_code_is() {
        let debug =
            PLAIN.replace(".L3", ".L7").replace("\tret", "\t.loc 1 2\n.LVL3:\n\t#DEBUG_VALUE: f:x\n\tret");
        assert_eq!(difference(&debug, PLAIN), None);
        let other = debug.replace("$1, %edi", "$2, %edi");
        let said = difference(&other, PLAIN).expect("they differ");
        assert!(said.starts_with("`cmpl\t$2, %edi` with -g, and `cmpl\t$1, %edi` without"), "{said}");
        assert_eq!(mnemonics(&other, PLAIN), "operands or order");
        let more = debug.replace("\tret", "\tjmp\t.L9\n.L9:\n\tnop\n\tret");
        assert_eq!(mnemonics(&more, PLAIN), "jmp nop");
    }

    #[test]
    fn a_label_that_moves_is_a_difference() {
        let moved = PLAIN.replace(".L3:\n\tret\n", "\tret\n.L3:\n");
        assert!(difference(&moved, PLAIN).is_some());
        assert_eq!(
            instructions("\tmov\tr0, #5\t@ five\n\tb\t.L2\n.L2:\n"),
            ["\tmov\tr0, #5", "\tb\tL0", "L0:"]
        );
    }
}
