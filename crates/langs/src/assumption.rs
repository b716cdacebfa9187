//! What verdicts may rest on beside the semantics: one registry, from which `docs/prove.md` has its table and reports
//! their words. Each has a pair under `tests/equiv` that is proved only with it (`tests/assumptions.rs`).
//!
//! To add one: a variant, a line of [`ALL`] at the same place, a pair. State it where the semantics relies on it
//! (`assume`), or at an operation known by name ([`crate::operation`]).

use equiv::{Assumed, Premise};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smt::OperationClass;

/// Something a verdict takes for granted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Assumption {
    /// Floating-point operations are functions known by name alone.
    FloatsByName,
    /// Flags and traps of floating-point operations are no result.
    ExceptionFlags,
    /// Calls that only compute are functions of their arguments.
    PureCallsByName,
    /// Inline assembly is a function or an event known by its text.
    AssemblyByText,
    /// Instructions for ciphers and checksums and estimates are functions known by name.
    InstructionsByName,
    /// `memcmp` does what the C library says.
    MemcmpOfTheLibrary,
    /// Functions such as `sqrt` do what the C library says.
    MathOfTheLibrary,
    /// What a bit scan of zero leaves in its register.
    BitScanOfZero,
    /// What a register holds that nothing defines.
    UndefinedRegister,
    /// No object at small numbers.
    FirstPage,
    /// Type-based alias metadata of the source.
    AliasMetadata,
    /// `ADD_DB`: an `or` that later passes may make a sum.
    DisjointOperands,
    /// A volatile access does not end the program.
    VolatileGoesOn,
    /// Inputs that are undef, rather than poison.
    NoUndefInputs,
    /// Parameters without `noundef`.
    ArgumentsDefined,
    /// Results of calls without `noundef`.
    ResultsDefined,
    /// Attributes at calls of the target.
    PromisesAtCalls,
    /// What the target's definitions of functions say that are called.
    CalleesKeepPromises,
    /// What the target says of a local function's parameters.
    CallersKeepPromises,
    /// Attributes of the target's parameters and result.
    NewPromise,
    /// Alias metadata of the target.
    TargetAliasMetadata,
    /// Stack objects before their first store.
    StackContents,
    /// Stack objects between lifetime markers.
    StackLifetimes,
    /// Memory has no poison.
    PoisonInMemory,
    /// Bytes between fields, bits above integers of odd sizes.
    PaddingKept,
    /// Provenance.
    PointersAreAddresses,
    /// `inbounds`.
    ObjectOfAnAddress,
    /// `nusw` and `nuw` of address arithmetic.
    AddressWraps,
    /// A source without defined behaviour.
    SourceIsUndefined,
    /// Functions such as `strlen` do what the C library says.
    FunctionsOfTheLibrary,
    /// Sums of the address of a constant variable.
    AddressOfAConstant,
}

/// Which proofs may rest on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// Those of instruction selection and of the optimiser.
    Both,
    /// Those of instruction selection.
    Selection,
    /// Those of the optimiser.
    Optimiser,
}

impl Of {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Of::Both => "both",
            Of::Selection => "selection",
            Of::Optimiser => "optimiser",
        }
    }
}

/// An assumption with what people are told of it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Which it is.
    pub assumption: Assumption,
    /// Its stable name, as in `--json`.
    pub name: &'static str,
    /// What is assumed, one sentence without a full stop.
    pub what: &'static str,
    /// Why a proof needs it, and what makes it a fair one.
    pub why: &'static str,
    /// Which proofs may rest on it.
    pub of: Of,
}

const fn entry(
    assumption: Assumption,
    name: &'static str,
    of: Of,
    what: &'static str,
    why: &'static str,
) -> Entry {
    Entry { assumption, name, what, why, of }
}

/// Every assumption, in the order of the enum.
pub const ALL: &[Entry] = &[
    entry(
        Assumption::FloatsByName,
        "floats-by-name",
        Of::Both,
        "floating-point operations are uninterpreted",
        "rounding is not modelled: an operation is some function of its operands, the same on both sides, to the nearest \
         number; sums and products commute, signs are exchanged as IEEE arithmetic does, comparisons of `float` and `double` are exact",
    ),
    entry(
        Assumption::ExceptionFlags,
        "exception-flags",
        Of::Optimiser,
        "flags and traps of floating-point operations are no result",
        "what `fpexcept.strict` and `fpexcept.maytrap` ask to keep is not compared",
    ),
    entry(
        Assumption::PureCallsByName,
        "pure-calls-by-name",
        Of::Optimiser,
        "functions declared to only compute give the same for the same arguments",
        "`memory(none)` and the like are promises of the source about functions that are not seen",
    ),
    entry(
        Assumption::AssemblyByText,
        "assembly-by-text",
        Of::Both,
        "inline assembly does the same to the same operands and memory",
        "known by its text, operands and clobbers; with side effects it is an event like a call",
    ),
    entry(
        Assumption::InstructionsByName,
        "instructions-by-name",
        Of::Both,
        "instructions for ciphers, checksums and estimates are uninterpreted",
        "AES, SHA, products without carries, CRC-32C, `rcpps` and `rsqrtps` are some functions of their operands, the same \
         for an intrinsic and its instruction",
    ),
    entry(
        Assumption::MemcmpOfTheLibrary,
        "memcmp-of-the-library",
        Of::Both,
        "memcmp is the C library's",
        "a word is compared, or `bcmp` called, where the result is only compared with zero",
    ),
    entry(
        Assumption::MathOfTheLibrary,
        "math-of-the-library",
        Of::Selection,
        "mathematical functions are the C library's",
        "selection made an instruction of a call",
    ),
    entry(
        Assumption::BitScanOfZero,
        "bit-scan-of-zero",
        Of::Selection,
        "a bit scan of zero leaves the same each time",
        "the processor may leave anything; that one instruction which runs twice between two cuts leaves the same is \
         taken for granted",
    ),
    entry(
        Assumption::UndefinedRegister,
        "undefined-register",
        Of::Selection,
        "an undefined register holds the same each time",
        "the source's undef and poison are what the target's undefined registers hold; stated only where a loop is not \
         cut, so that one of them may be set twice between two cuts",
    ),
    entry(
        Assumption::FirstPage,
        "first-page",
        Of::Both,
        "nothing lies in the first page of memory",
        "an access at a small constant address is undefined in the source; systems for which C is compiled so map \
         nothing there",
    ),
    entry(
        Assumption::AliasMetadata,
        "alias-metadata",
        Of::Both,
        "accesses that type-based alias metadata tells apart do not overlap",
        "the front end's promise; stated only where the proof fails without",
    ),
    entry(
        Assumption::DisjointOperands,
        "disjoint-operands",
        Of::Selection,
        "operands that selection takes to have no bit in common have none",
        "`ADD_DB` is an `or` that later passes may make a sum; stated where the operands are not seen to be disjoint",
    ),
    entry(
        Assumption::VolatileGoesOn,
        "volatile-goes-on",
        Of::Selection,
        "execution goes on behind a volatile access",
        "the target may fail ahead of a volatile access where the source is bound to fail behind it",
    ),
    entry(
        Assumption::NoUndefInputs,
        "no-undef-inputs",
        Of::Optimiser,
        "arguments and results of calls are not undef",
        "each use of `undef` may see another value; that inputs are poison is followed instead. Stated where the target \
         reads one twice, or the source freezes one",
    ),
    entry(
        Assumption::ArgumentsDefined,
        "arguments-defined",
        Of::Optimiser,
        "arguments are neither poison nor undef",
        "parameters without `noundef`, where the proof with poison arguments fails; with it the source is undefined \
         otherwise",
    ),
    entry(
        Assumption::ResultsDefined,
        "results-defined",
        Of::Optimiser,
        "calls return neither poison nor undef",
        "results without `noundef`",
    ),
    entry(
        Assumption::PromisesAtCalls,
        "promises-at-calls",
        Of::Optimiser,
        "promises at calls of the target hold",
        "attributes such as `nonnull` or `range` at its calls, which are not proved",
    ),
    entry(
        Assumption::CalleesKeepPromises,
        "callees-keep-promises",
        Of::Optimiser,
        "functions defined beside do what the target says of them",
        "attributes that the optimiser found for them, `memory(read)` or a `range` of results, for the proofs of those \
         functions to keep",
    ),
    entry(
        Assumption::CallersKeepPromises,
        "callers-keep-promises",
        Of::Optimiser,
        "callers of a local function pass what the target says",
        "attributes of its parameters that the optimiser found to hold at all calls, for the proofs of its callers to keep",
    ),
    entry(
        Assumption::NewPromise,
        "new-promise",
        Of::Optimiser,
        "what the target newly promises holds",
        "an attribute of a parameter or the result that the source has not, named beside it",
    ),
    entry(
        Assumption::TargetAliasMetadata,
        "target-alias-metadata",
        Of::Optimiser,
        "aliasing metadata of the target is truthful",
        "metadata on its loads, and of a kind that no access of the source has, which is not proved",
    ),
    entry(
        Assumption::StackContents,
        "stack-contents",
        Of::Optimiser,
        "stack objects hold fixed bytes before their first store",
        "objects that stay in memory on both sides",
    ),
    entry(
        Assumption::StackLifetimes,
        "stack-lifetimes",
        Of::Optimiser,
        "stack objects keep their contents and places of their own between lifetime markers",
        "objects that stay in memory in the target",
    ),
    entry(
        Assumption::PoisonInMemory,
        "poison-in-memory",
        Of::Optimiser,
        "memory holds neither poison nor undef",
        "memory holds bits; stated where poison is stored, or where it would show that poison was loaded",
    ),
    entry(
        Assumption::PaddingKept,
        "padding-kept",
        Of::Optimiser,
        "stores leave padding as it is or clear it alike, and clear the bits above integers of odd sizes",
        "bytes between the fields of a structure and such bits may hold anything, poison too; of constants they are zero \
         where the target stores such a constant or fills memory",
    ),
    entry(
        Assumption::PointersAreAddresses,
        "pointers-are-addresses",
        Of::Optimiser,
        "pointers to one address lead to one object",
        "provenance is not followed; stated where pointers are made from numbers or compared, or copied by one side as \
         bytes and by the other not",
    ),
    entry(
        Assumption::ObjectOfAnAddress,
        "object-of-an-address",
        Of::Optimiser,
        "which addresses lie in one object is known by name alone",
        "`inbounds`: an unknown function from addresses to objects, which are taken not to touch",
    ),
    entry(
        Assumption::AddressWraps,
        "address-wraps",
        Of::Optimiser,
        "when address arithmetic wraps is known by name alone",
        "`nusw` and `nuw` of address arithmetic",
    ),
    entry(
        Assumption::SourceIsUndefined,
        "source-is-undefined",
        Of::Optimiser,
        "the source is meant to be undefined whatever it is given",
        "any target refines such a source, so the proof says nothing of what the target does",
    ),
    entry(
        Assumption::FunctionsOfTheLibrary,
        "functions-of-the-library",
        Of::Both,
        "functions such as `strlen` and `ffs` are the C library's",
        "the optimiser made a number, an instruction or a simpler call of a call, left one out that does nothing, or settled what an allocation comes to; \
         a function ends in a call of `strcpy`, whose result becomes its own",
    ),
    entry(
        Assumption::AddressOfAConstant,
        "address-of-a-constant",
        Of::Selection,
        "an address made from that of a constant variable stays in it",
        "the target loads once from one of two tables, and says that nothing ever writes what it loads, but not which it is",
    ),
];

impl Assumption {
    /// What people are told of it.
    pub fn entry(self) -> &'static Entry {
        &ALL[self as usize]
    }

    /// The class of operations that are known by name under this assumption.
    pub fn class(self) -> OperationClass {
        match self {
            Assumption::ObjectOfAnAddress => OperationClass::OBJECTS,
            _ => OperationClass(self as u8),
        }
    }

    /// What a premise of the engine means in these languages.
    pub fn of(premise: Premise) -> Assumption {
        match premise {
            Premise::Operation(OperationClass::OBJECTS) => Assumption::ObjectOfAnAddress,
            Premise::Operation(class) => ALL[usize::from(class.0)].assumption,
            Premise::GoesOn => Assumption::VolatileGoesOn,
            Premise::OneValueAName => Assumption::UndefinedRegister,
            Premise::LeftErrs => Assumption::SourceIsUndefined,
        }
    }

    /// The table of `docs/prove.md`.
    pub fn table() -> String {
        let mut out = String::from("| Name | Of | What is assumed | Why |\n|---|---|---|---|\n");
        for e in ALL {
            out.push_str(&format!("| `{}` | {} | {} | {} |\n", e.name, e.of.words(), e.what, e.why));
        }
        out
    }
}

impl Assumed for Assumption {
    fn what(&self) -> String {
        self.entry().what.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_in_the_order_of_the_enum_and_named_as_in_json() {
        for (n, e) in ALL.iter().enumerate() {
            assert_eq!(e.assumption as usize, n, "{}", e.name);
            assert_eq!(serde_json::to_value(e.assumption).expect("a name"), e.name);
        }
    }
}
