//! What attributes promise of the way functions behave, and which of that calls say: a caller that promises more of a
//! call calls something else.

use crate::llvm_ir::ast::{Attr, Call, Flags};
use crate::llvm_ir::semantics::Ir;
use equiv::{Promise, Promised};
use std::collections::BTreeSet;

/// Attributes that promise something about a value: undefined behaviour or poison where they do not hold.
pub(crate) const OF_VALUES: [&str; 8] = [
    "noundef",
    "nonnull",
    "dereferenceable",
    "dereferenceable_or_null",
    "align",
    "range",
    "nofpclass",
    "noalias",
];

/// Attributes that promise something of what a function does with a parameter, or its caller behind it.
pub(crate) const OF_USES: [&str; 14] = [
    "nocapture",
    "captures",
    "nofree",
    "readnone",
    "readonly",
    "writeonly",
    "returned",
    "writable",
    "initializes",
    "dead_on_return",
    "dead_on_unwind",
    "immarg",
    "allocptr",
    "allocalign",
];

/// Attributes that promise something of what a function does.
pub(crate) const OF_FUNCTIONS: [&str; 18] = [
    "noreturn",
    "memory",
    "readnone",
    "readonly",
    "writeonly",
    "argmemonly",
    "inaccessiblememonly",
    "inaccessiblemem_or_argmemonly",
    "willreturn",
    "mustprogress",
    "nofree",
    "nosync",
    "nounwind",
    "norecurse",
    "nocallback",
    "speculatable",
    "allockind",
    "allocsize",
];

/// Attributes that change what arithmetic of a function does: those that both sides have to share, and functions of which
/// one is inlined into the other.
pub(crate) const OF_MODES: [&str; 5] =
    ["denormal-fp-math", "denormal-fp-math-f32", "denormal_fpenv", "strictfp", "null_pointer_is_valid"];

/// What is promised where a function is called of what it does. The
/// source's calls have what its declarations say as well, and `nounwind` where the function has that itself.
pub(super) fn of_call(ir: &Ir<'_>, call: &Call, with_declaration: bool) -> Vec<Promise> {
    let mut out: BTreeSet<Promise> = BTreeSet::new();
    let declared = ir.callee(call).filter(|_| with_declaration);
    let math = Flags::ALL.iter().filter(|(flag, _)| flag.any_math() && call.flags.has(*flag));
    out.extend(math.map(|(_, word)| Promise { of: Promised::Result, word: (*word).to_owned() }));
    let of_groups = ir.m.grouped(&call.groups);
    let mut note = |of: Promised, attrs: &mut dyn Iterator<Item = &Attr>, words: &[&str]| {
        for a in attrs {
            let name = ir.m.names.text(a.name());
            if words.contains(&name) {
                let more = match a {
                    Attr::Raw(_, text) => format!("({})", text.trim()),
                    Attr::Int(_, n) => format!("({n})"),
                    Attr::Flag(_) | Attr::Type(..) | Attr::Text(..) => String::new(),
                };
                out.insert(Promise { of, word: format!("{name}{more}") });
            }
        }
    };
    note(Promised::Call, &mut call.attrs.iter().chain(of_groups), &OF_FUNCTIONS);
    note(Promised::Result, &mut call.ret_attrs.iter(), &["noalias", "nofpclass"]);
    if let Some(f) = declared {
        note(Promised::Call, &mut ir.attributes_of(f), &OF_FUNCTIONS);
        note(Promised::Result, &mut f.ret_attrs.iter(), &["noalias", "nofpclass"]);
    }
    // What the caller says of itself, its calls keep: an exception that leaves one of them would leave the caller.
    if with_declaration {
        note(Promised::Call, &mut ir.attributes_of(ir.f), &["nounwind"]);
    }
    for (n, arg) in call.args.iter().enumerate() {
        let param = declared.and_then(|f| f.params.get(n));
        let words: Vec<&str> = OF_USES.iter().copied().chain(["noalias", "nofpclass"]).collect();
        note(
            Promised::Argument(n),
            &mut arg.attrs.iter().chain(param.into_iter().flat_map(|p| p.attrs.iter())),
            &words,
        );
    }
    out.into_iter().collect()
}
