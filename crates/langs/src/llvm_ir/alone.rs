//! Functions of a module made to stand alone, in its text: what an optimiser then makes of one it can prove of that
//! function by itself.
//!
//! Nothing of a function that the linker may replace (`weak`) is known to the functions around it, and it must keep its
//! parameters and serve any caller; of a variable that is not local others may know everything. So passes neither fit
//! a function to its callers nor make use of what its callees do, and nothing is inlined. Bodies stay as they are.

/// Words that may follow `define` and say how a function is linked.
const LINKAGE: [&str; 9] = [
    "private",
    "internal",
    "external",
    "weak",
    "weak_odr",
    "linkonce",
    "linkonce_odr",
    "common",
    "available_externally",
];

/// The text of a module whose functions are all weak, whose variables are all known outside, and that asks for no
/// inlining. Constants stay local: their content is theirs alone.
pub fn alone(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 64);
    for line in text.split_inclusive('\n') {
        if let Some(rest) = line.strip_prefix("define ") {
            let (first, after) = rest.split_once(' ').unwrap_or((rest, ""));
            match first {
                // The definition for inlining alone of a function that is defined elsewhere.
                "available_externally" => out.push_str(line),
                _ => {
                    out.push_str("define weak ");
                    out.push_str(if LINKAGE.contains(&first) { after } else { rest });
                }
            }
        } else if line.starts_with("attributes ") {
            let kept = line.split(' ').filter(|w| !matches!(*w, "alwaysinline" | "noinline"));
            let asked = line.split(' ').any(|w| matches!(w, "alwaysinline" | "noinline"));
            let text = kept.collect::<Vec<_>>().join(" ");
            out.push_str(&if asked { text.replacen("{ ", "{ noinline ", 1) } else { text });
        } else {
            out.push_str(&shared_variable(line).unwrap_or_else(|| line.to_owned()));
        }
    }
    out
}

/// The line of a local variable without the word that makes it local.
fn shared_variable(line: &str) -> Option<String> {
    let name = match line.strip_prefix("@\"") {
        Some(quoted) => quoted.find('"')? + 3,
        None => line.starts_with('@').then(|| line.find(' '))??,
    };
    let rest = line.get(name..)?.strip_prefix(" = ")?;
    let after = ["internal ", "private "].iter().find_map(|word| rest.strip_prefix(word))?;
    let kind = after.split(' ').find(|w| matches!(*w, "global" | "constant" | "alias" | "ifunc"))?;
    (kind == "global").then(|| format!("{} = {after}", &line[..name]))
}

#[cfg(test)]
mod tests {
    use super::alone;

    #[test]
    fn functions_stand_alone() {
        let text = "\
@a = internal unnamed_addr global i32 0, align 4
@\"b c\" = private global [2 x i8] c\"= constant\"
@.str = private unnamed_addr constant [9 x i8] c\"= global \"
@d = dso_local global i32 1
define internal i32 @f(i32 %x) #0 {
  ret i32 %x
}
define dso_local void @g() #1 {
  ret void
}
define available_externally void @h() {
  ret void
}
define i32 @k() #1 {
  ret i32 0
}
attributes #0 = { alwaysinline nounwind }
attributes #1 = { noinline nounwind }
attributes #2 = { nounwind }
";
        let expected = "\
@a = unnamed_addr global i32 0, align 4
@\"b c\" = global [2 x i8] c\"= constant\"
@.str = private unnamed_addr constant [9 x i8] c\"= global \"
@d = dso_local global i32 1
define weak i32 @f(i32 %x) #0 {
  ret i32 %x
}
define weak dso_local void @g() #1 {
  ret void
}
define available_externally void @h() {
  ret void
}
define weak i32 @k() #1 {
  ret i32 0
}
attributes #0 = { noinline nounwind }
attributes #1 = { noinline nounwind }
attributes #2 = { nounwind }
";
        assert_eq!(alone(text), expected);
    }
}
