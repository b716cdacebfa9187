//! Translates the operands of `INLINEASM` from how LLVM 23 prints them to how older versions do. Two kinds of operands are
//! flags: one for the whole instruction, and one ahead of each group of operands. Older versions print a number and the
//! words it stands for in a comment; LLVM 23 prints the words alone (`sideeffect attdialect`, `reguse tiedto:$0`).

/// Kinds of operand groups, as LLVM numbers them.
pub(super) mod group {
    pub const USE: i64 = 1;
    pub const DEF: i64 = 2;
    pub const EARLY_DEF: i64 = 3;
    pub const CLOBBER: i64 = 4;
    pub const IMMEDIATE: i64 = 5;
    pub const MEMORY: i64 = 6;
    pub const FUNCTION: i64 = 7;
}

/// Flags of the whole instruction, as LLVM numbers them.
pub(super) mod extra {
    pub const SIDE_EFFECTS: i64 = 1;
    pub const ALIGN_STACK: i64 = 2;
    pub const INTEL: i64 = 4;
    pub const LOADS: i64 = 8;
    pub const STORES: i64 = 16;
    pub const CONVERGENT: i64 = 32;
    pub const UNWINDS: i64 = 64;
}

/// The words for flags of the whole, with their bits.
const EXTRA: [(&str, i64); 8] = [
    ("sideeffect", extra::SIDE_EFFECTS),
    ("alignstack", extra::ALIGN_STACK),
    ("attdialect", 0),
    ("inteldialect", extra::INTEL),
    ("mayload", extra::LOADS),
    ("maystore", extra::STORES),
    ("isconvergent", extra::CONVERGENT),
    ("mayunwind", extra::UNWINDS),
];

/// The words for kinds of groups.
const KINDS: [(&str, i64); 7] = [
    ("reguse", group::USE),
    ("regdef", group::DEF),
    ("regdef-ec", group::EARLY_DEF),
    ("clobber", group::CLOBBER),
    ("imm", group::IMMEDIATE),
    ("mem", group::MEMORY),
    ("func", group::FUNCTION),
];

/// The operands with numbers for words; none where there are no words, or some that are not known.
pub(super) fn numbered(operands: &str) -> Option<String> {
    let items = items(operands);
    let (template, rest) = items.split_first()?;
    let (flags, rest) = rest.split_first()?;
    let mut out = format!("{template}, {}", whole(flags)?);
    let mut rest = rest;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let Some(flag) = group_of(first) else {
            out.push_str(", ");
            out.push_str(first);
            continue;
        };
        let ends = |item: &&str| group_of(item).is_some() || item.starts_with('!');
        let count = after.iter().position(ends).unwrap_or(after.len());
        out.push_str(&format!(", {}", flag | (count as i64) << 3));
    }
    Some(out)
}

/// Parts between commas that are in no quotes and no parentheses.
fn items(text: &str) -> Vec<&str> {
    let (mut out, mut from, mut depth, mut quoted) = (Vec::new(), 0, 0i32, false);
    for (at, c) in text.bytes().enumerate() {
        match c {
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth -= 1,
            b',' if !quoted && depth == 0 => {
                out.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(text[from..].trim());
    out
}

fn whole(words: &str) -> Option<i64> {
    let bit = |word: &str| EXTRA.iter().find(|(known, _)| *known == word).map(|(_, bit)| *bit);
    words.split_whitespace().try_fold(0, |all, word| Some(all | bit(word)?))
}

/// The flag of a group without its count: the kind, and the output that it is tied to.
fn group_of(item: &str) -> Option<i64> {
    let mut words = item.split_whitespace();
    let name = words.next()?;
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    let kind = KINDS.iter().find(|(known, _)| *known == name)?.1;
    words.try_fold(kind, |flag, word| match word.strip_prefix("tiedto:$") {
        Some(output) => Some(flag | 1 << 31 | output.parse::<i64>().ok()? << 16),
        None => (word == "foldable").then_some(flag),
    })
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn words_of_flags_become_numbers() {
        let text = r#"&"addq $1, $0", sideeffect mayload maystore attdialect, regdef:GR64, def %2, mem:m, %1, 1, $noreg, 0, $noreg, imm, 4, reguse tiedto:$0, %3(tied-def 3), clobber, implicit-def early-clobber $df, !10"#;
        let want = r#"&"addq $1, $0", 25, 10, def %2, 46, %1, 1, $noreg, 0, $noreg, 13, 4, 2147483657, %3(tied-def 3), 12, implicit-def early-clobber $df, !10"#;
        assert_eq!(numbered(text).as_deref(), Some(want));
    }

    #[test]
    fn numbers_and_strange_words_stay() {
        assert_eq!(numbered(r#"&"nop", 1, 12, implicit-def $df"#), None);
        assert_eq!(numbered(r#"&"nop", sideeffect strange"#), None);
        assert_eq!(numbered(""), None);
    }
}
