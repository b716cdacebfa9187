//! Who calls a function, and whether a compiler sees all of them: then it may fit the function to what these pass (ranges and
//! constants of arguments, by GCC's `-fipa-vrp` and `-fipa-bit-cp`; arguments that nobody reads, by LLVM), so that only an
//! input that comes from one of them tells two versions of it apart.

use crate::code::{Code, Flow};
use crate::objects::Image;
use crate::places::{Place, references, resolve};
use std::collections::BTreeSet;

/// The callers of a function of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Callers {
    /// Functions that call it, or leave for it, by its name.
    pub direct: BTreeSet<usize>,
    /// Whether there may be others: other files know its name, or its address goes somewhere.
    pub others: bool,
}

/// The callers of each function of a file.
#[must_use]
pub fn of(image: &Image) -> Vec<Callers> {
    let begun = |n: usize| Callers { direct: BTreeSet::new(), others: !image.functions[n].local };
    let mut all: Vec<Callers> = (0..image.functions.len()).map(begun).collect();
    for caller in 0..image.functions.len() {
        let code = Code::of(image, caller);
        for (stretch, references) in code.stretches.iter().zip(references(image, caller, &code)) {
            for reference in &references {
                let Place::Function { function, offset } = reference.place else { continue };
                let insn = stretch.insns.iter().find(|insn| insn.at == reference.at);
                let goes = insn.is_some_and(|insn| matches!(insn.flow, Flow::Call | Flow::Jump));
                match goes && offset == 0 {
                    true => drop(all[function].direct.insert(caller)),
                    false => all[function].others = true,
                }
            }
        }
    }
    // Unwinding tables refer to all functions, and hand none of them to anybody.
    for section in image.sections.iter().filter(|s| !s.exec && !s.name.starts_with(".eh_frame")) {
        for reloc in &section.relocs {
            if let Place::Function { function, .. } = resolve(image, usize::MAX, reloc.referent, reloc.addend)
            {
                all[function].others = true;
            }
        }
    }
    all
}
