//! Files cut down to one function, so that compiling it needs no more than it: what else was defined becomes a
//! declaration, and nothing stays local to the file, so that the linker may put stubs in its place.

/// Words that say how a definition is linked; a declaration has none of them.
const LINKAGE: [&str; 10] = [
    "private",
    "internal",
    "available_externally",
    "linkonce",
    "linkonce_odr",
    "weak",
    "weak_odr",
    "common",
    "appending",
    "extern_weak",
];

/// The IR that a Machine IR file begins with, as a file of its own.
pub fn embedded_ir(mir: &str) -> Option<String> {
    let mut lines = mir.lines().skip_while(|l| *l != "--- |");
    lines.next()?;
    let body = lines.take_while(|l| *l != "...").map(|l| l.strip_prefix("  ").unwrap_or(l));
    Some(body.map(|l| format!("{l}\n")).collect())
}

/// LLVM IR with that function alone defined.
pub fn only_in_ir(text: &str, function: &str) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in text.lines() {
        if skipping {
            skipping = line != "}";
            continue;
        }
        if line.starts_with("define ") {
            let Some((name, open)) = defined(line) else { continue };
            if name == function {
                out.push_str(&without(line, open, &LINKAGE));
            } else {
                out.push_str(&declaration(line, open));
                skipping = true;
            }
        } else if line.starts_with('@') {
            let kind = [" global ", " constant "].iter().filter_map(|k| line.find(k)).min().unwrap_or(0);
            out.push_str(&without(line, kind, &["private", "internal"]));
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Machine IR with that function alone.
pub fn only_in_mir(text: &str, function: &str) -> String {
    let mut out = String::new();
    if let Some(ir) = embedded_ir(text) {
        out.push_str("--- |\n");
        for line in only_in_ir(&ir, function).lines() {
            out.push_str(&format!("  {line}\n"));
        }
        out.push_str("...\n");
    }
    let mut document = String::new();
    let mut wanted = false;
    for line in text.lines() {
        if line == "---" {
            document.clear();
            wanted = false;
        }
        if let Some(name) = line.strip_prefix("name:") {
            wanted = name.trim().trim_matches(|c| c == '\'' || c == '"') == function;
        }
        document.push_str(line);
        document.push('\n');
        if line == "..." {
            if wanted {
                out.push_str(&document);
            }
            document.clear();
            wanted = false;
        }
    }
    out
}

/// The name in a `define` line, and where its parameters begin.
fn defined(line: &str) -> Option<(&str, usize)> {
    let at = line.find('@')? + 1;
    let rest = &line[at..];
    match rest.strip_prefix('"') {
        Some(quoted) => {
            let end = quoted.find('"')?;
            Some((&quoted[..end], at + end + 2))
        }
        None => {
            let end = rest.find('(')?;
            Some((&rest[..end], at + end))
        }
    }
}

/// A line without these words before some place in it.
fn without(line: &str, before: usize, words: &[&str]) -> String {
    let mut kept = Vec::new();
    let mut at = 0;
    for word in line.split(' ') {
        let drop = at < before && words.contains(&word);
        at += word.len() + 1;
        if !drop {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// A declaration in place of a definition whose parameters begin there.
fn declaration(line: &str, open: usize) -> String {
    let mut depth = 0u32;
    let mut quoted = false;
    let mut end = line.len();
    for (i, b) in line.bytes().enumerate().skip(open) {
        match b {
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    end = i + 1;
                    break;
                }
            }
            _ => {}
        }
    }
    let (head, tail) = line.split_at(end);
    let group = |w: &&str| w.strip_prefix('#').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let group = tail.split(' ').find(group).map(|g| format!(" {g}")).unwrap_or_default();
    let head = without(head, open, &LINKAGE);
    format!("declare{}{group}", head.strip_prefix("define").unwrap_or(&head))
}

/// The LLVM version that a file says it comes from.
pub fn version(text: &str) -> Option<u32> {
    let line = text.lines().find(|l| l.contains("clang version "))?;
    let (_, rest) = line.split_once("clang version ")?;
    rest.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const IR: &str = "@a = internal global i32 0\n@s = private unnamed_addr constant [2 x i8] c\"a\\00\"\n\
        define internal fastcc i32 @\"odd (name\"(ptr %p, i32 range(i32 0, 5) %x) unnamed_addr #3 comdat !dbg !5 {\n\
        entry:\n  ret i32 0\n}\n\ndefine internal i32 @kept(i32 %x) #0 {\n  ret i32 %x\n}\n";

    #[test]
    fn one_definition_is_left() {
        let out = only_in_ir(IR, "kept");
        assert!(out.contains("@a = global i32 0\n@s = unnamed_addr constant"), "{out}");
        let declared = "declare fastcc i32 @\"odd (name\"(ptr %p, i32 range(i32 0, 5) %x) #3\n";
        assert!(out.contains(declared), "{out}");
        assert!(out.contains("define i32 @kept(i32 %x) #0 {\n  ret i32 %x\n}\n"), "{out}");
        assert_eq!(out.matches("define").count(), 1);
    }

    #[test]
    fn machine_functions_go_with_their_source() {
        let indented: String = IR.lines().map(|l| format!("  {l}\n")).collect();
        let mir = format!("--- |\n{indented}...\n---\nname: kept\nbody: |\n...\n---\nname: other\n...\n");
        assert_eq!(embedded_ir(&mir).unwrap().trim_end(), IR.trim_end());
        let out = only_in_mir(&mir, "kept");
        assert!(out.starts_with("--- |\n  @a = global"), "{out}");
        assert!(out.ends_with("...\n---\nname: kept\nbody: |\n...\n"), "{out}");
    }

    #[test]
    fn files_tell_their_version() {
        assert_eq!(version("!2 = !{!\"Debian clang version 14.0.6\"}"), Some(14));
        assert_eq!(version("define void @f() {"), None);
    }
}
