//! Branches on opposite conditions: the same decision, with the ways exchanged.

/// Mnemonics of branches on opposite conditions.
const OPPOSITE: &[(&str, &str)] = &[
    ("Je", "Jne"),
    ("Jb", "Jae"),
    ("Jbe", "Ja"),
    ("Jl", "Jge"),
    ("Jle", "Jg"),
    ("Js", "Jns"),
    ("Jo", "Jno"),
    ("Jp", "Jnp"),
    ("b.eq", "b.ne"),
    ("b.hs", "b.lo"),
    ("b.mi", "b.pl"),
    ("b.vs", "b.vc"),
    ("b.hi", "b.ls"),
    ("b.ge", "b.lt"),
    ("b.gt", "b.le"),
    ("cbz", "cbnz"),
    ("tbz", "tbnz"),
    ("beq", "bne"),
    ("blt", "bge"),
    ("bltu", "bgeu"),
    ("beqz", "bnez"),
    ("blez", "bgtz"),
    ("bltz", "bgez"),
    ("bhs", "blo"),
    ("bmi", "bpl"),
    ("bvs", "bvc"),
    ("bhi", "bls"),
    ("bgt", "ble"),
];

/// Whether two branches take their targets on opposite conditions of the same operands.
pub fn opposite(a: &str, b: &str) -> bool {
    let cut = |key: &str| {
        let (mnemonic, operands) = key.split_once(' ').unwrap_or((key, ""));
        (mnemonic.to_owned(), operands.trim().to_owned())
    };
    let ((m, x), (n, y)) = (cut(a), cut(b));
    let pair = |p: &str, q: &str| OPPOSITE.iter().any(|(s, t)| (*s, *t) == (p, q));
    x == y && (pair(&m, &n) || pair(&n, &m))
}
