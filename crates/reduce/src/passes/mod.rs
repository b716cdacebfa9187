//! The registry of passes.

/// Makes a unit struct a pass whose hints come file by file: type, name, what it is about, its stage, and what gives the
/// hints of a case.
macro_rules! file_pass {
    ($pass:ident, $name:literal, $about:literal, $stage:ident, |$case:ident| $hints:expr) => {
        #[doc = $about]
        pub struct $pass;

        impl crate::passes::Pass for $pass {
            fn name(&self) -> &'static str {
                $name
            }

            fn about(&self) -> &'static str {
                $about
            }

            fn hints(&self, $case: &crate::Case) -> Vec<crate::Hint> {
                $hints
            }

            fn stage(&self) -> crate::passes::Stage {
                crate::passes::Stage::$stage
            }
        }
    };
}

pub mod c;
pub mod ir;
pub mod text;

use crate::{Case, Hint};

/// When a pass is due. Each stage is gone through until it gains little; then comes the next, and after the last of the
/// first three, if anything changed, the first again.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Takes away large parts with few tests.
    Coarse,
    /// Most passes.
    Middle,
    /// Small edits at many places, too many for a large case.
    Fine,
    /// What no longer helps other passes, once they find nothing more.
    Polish,
    /// At the very end, for the reader: may add bytes, but no tokens.
    Finish,
}

/// An idea of how to make a case smaller or simpler. To add one: a file here with a unit struct, a line in [`PASSES`], and
/// a golden under `tests/reduce` that shows a text before and all hints applied after it.
///
/// Passes are pure: the same case gives the same hints in the same order. A hint need not lead to a valid program (the
/// test decides), yet what cannot be valid only costs time. What comes out must be smaller, in tokens or else in bytes, or
/// it is not tried.
pub trait Pass: Sync {
    /// The stable name, as `--passes` takes it and progress shows it.
    fn name(&self) -> &'static str;
    /// One line for the manual.
    fn about(&self) -> &'static str;
    /// What it would change, likeliest first.
    fn hints(&self, case: &Case) -> Vec<Hint>;
    /// When it is due.
    fn stage(&self) -> Stage {
        Stage::Middle
    }
    /// Are the hints alternatives to each other, of which it makes no sense to try many at once?
    fn alternatives(&self) -> bool {
        false
    }
}

/// All passes, in the order in which they are tried first.
pub const PASSES: &[&dyn Pass] = &[
    &text::comments::Comments,
    &text::chunks::Chunks,
    &ir::functions::IrFunctions,
    &ir::words::IrMetadata,
    &ir::words::IrAttributes,
    &ir::flow::IrReturns,
    &ir::flow::IrBranches,
    &ir::flow::IrUnreachable,
    &ir::values::IrInstructions,
    &ir::flow::IrCases,
    &ir::flow::IrJoin,
    &ir::values::IrForward,
    &ir::functions::IrGlobals,
    &ir::functions::IrParameters,
    &ir::words::IrFlags,
    &ir::values::IrOperands,
    &ir::types::IrTypes,
    &ir::names::IrRename,
    &c::items::Format,
    &c::unused::Unused,
    &c::unused::UnusedTypes,
    &c::functions::Functions,
    &c::functions::Bodies,
    &c::items::Items,
    &c::statements::Statements,
    &c::blocks::Branches,
    &c::blocks::OneCase,
    &c::blocks::RunOnce,
    &c::statements::Clauses,
    &c::statements::Labels,
    &c::statements::Unreachable,
    &c::functions::FirstReturn,
    &c::functions::Definitions,
    &c::functions::ReturnVoid,
    &c::unused::UnusedLabels,
    &c::unused::Declarators,
    &c::blocks::SwitchToIf,
    &c::blocks::Loops,
    &c::blocks::Flatten,
    &c::conditions::IfToValue,
    &c::conditions::Gotos,
    &c::parameters::UnusedParameters,
    &c::initializers::Initializers,
    &c::initializers::InitializerLists,
    &c::operands::Effects,
    &c::operands::Zeros,
    &c::operands::Subexpressions,
    &c::operands::Ones,
    &c::operands::Casts,
    &c::operands::Assignments,
    &c::operands::Indirection,
    &c::inline::InlineExpressions,
    &c::inline::InlineBodies,
    &c::inline::InlineOnlyCalls,
    &c::propagate::CopyPropagation,
    &c::propagate::LastStore,
    &c::propagate::PromotedStore,
    &c::propagate::KnownPointers,
    &c::parameters::ParametersToConstants,
    &c::parameters::ParametersToLocals,
    &c::parameters::ParametersToGlobals,
    &c::parameters::Arguments,
    &c::parameters::Variadic,
    &c::printing::ChecksumsToPrints,
    &c::printing::PrintArguments,
    &c::fields::UnusedFields,
    &c::fields::Fields,
    &c::scalars::Scalars,
    &c::fields::BitFields,
    &c::typedefs::Typedefs,
    &c::typedefs::TypedefsToInts,
    &c::words::Specifiers,
    &c::words::Attributes,
    &c::words::BasicTypes,
    &c::words::UnionsToStructs,
    &c::words::TagsToInts,
    &c::unused::EnumeratorValues,
    &c::levels::ArrayDimensions,
    &c::levels::PointerLevels,
    &c::inner_levels::ParameterLevels,
    &c::inner_levels::MemberLevels,
    &c::declarations::LocalsToGlobals,
    &c::declarations::CombineVariables,
    &c::literals::ArraySizes,
    &c::literals::Folded,
    &c::literals::Spellings,
    &c::literals::Literals,
    &c::literals::Strings,
    &c::declarations::GlobalsToLocals,
    &c::declarations::MergeDeclarations,
    &c::naming::DefinitionsFirst,
    &c::words::VoidParameters,
    &c::naming::Rename,
    &text::lines::Lines,
    &text::statements::Statements,
    &text::brackets::Brackets,
    &text::elements::Elements,
    &text::unwrap::Unwrap,
    &text::ternary::Ternary,
    &text::peephole::Peephole,
    &text::token_runs::TokenRuns,
    &text::integers::Integers,
    &text::names::Names,
    &text::blanks::Blanks,
    &text::pretty::Pretty,
];
