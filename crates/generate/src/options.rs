//! Options: switches, limits and weights, named as Csmith's users know them.
//!
//! Every option is one row of a table, from which parsing, defaults, help and the manual come.

use crate::constructs::LATE;
use std::fmt;

macro_rules! switches {
    ($($variant:ident $flag:literal $default:literal $doc:literal;)*) => {
        /// Something that can be switched on or off: `--flag` and `--no-flag`.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Switch { $(#[doc = $doc] $variant),* }

        /// Every switch with its flag, its default and what it does.
        pub const SWITCHES: &[SwitchInfo] = &[
            $(SwitchInfo { switch: Switch::$variant, flag: $flag, default: $default, doc: $doc }),*
        ];
    };
}

macro_rules! limits {
    ($($variant:ident $flag:literal $default:literal $min:literal $max:literal $doc:literal;)*) => {
        /// Something with a number: `--flag N`.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum Limit { $(#[doc = $doc] $variant),* }

        /// Every limit with its flag, its default, what it can be and what it does.
        pub const LIMITS: &[LimitInfo] = &[
            $(LimitInfo { limit: Limit::$variant, flag: $flag, default: $default, min: $min, max: $max, doc: $doc }),*
        ];
    };
}

/// A row of [`SWITCHES`].
#[derive(Copy, Clone, Debug)]
pub struct SwitchInfo {
    /// Which.
    pub switch: Switch,
    /// Its name on the command line, without dashes.
    pub flag: &'static str,
    /// On unless said otherwise?
    pub default: bool,
    /// What it does.
    pub doc: &'static str,
}

/// A row of [`LIMITS`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LimitInfo {
    /// Which.
    pub limit: Limit,
    /// Its name on the command line, without dashes.
    pub flag: &'static str,
    /// The value unless said otherwise.
    pub default: u64,
    /// Least value.
    pub min: u64,
    /// Greatest value.
    pub max: u64,
    /// What it does.
    pub doc: &'static str,
}

switches! {
    Arrays "arrays" true "arrays";
    Bitfields "bitfields" true "bit-fields in structs";
    Checksum "checksum" true "print a checksum of the global variables at the end";
    CommaOperators "comma-operators" true "the comma operator";
    CompoundAssignment "compound-assignment" true "`op=`";
    Consts "consts" true "`const` objects";
    Divs "divs" true "`/` and `%`";
    EmbeddedAssigns "embedded-assigns" true "assignments within expressions";
    PreIncr "pre-incr-operator" true "`++x`";
    PreDecr "pre-decr-operator" true "`--x`";
    PostIncr "post-incr-operator" true "`x++`";
    PostDecr "post-decr-operator" true "`x--`";
    UnaryPlus "unary-plus-operator" true "`+x`";
    Jumps "jumps" true "`goto`";
    LongLong "longlong" true "64-bit integers";
    Int8 "int8" true "`signed char`";
    Uint8 "uint8" true "`unsigned char`";
    Math64 "math64" true "64-bit arithmetic";
    Muls "muls" true "`*`";
    SafeMath "safe-math" true "guard arithmetic that could overflow; without it programs may be undefined";
    Structs "structs" true "structs";
    GlobalVariables "global-variables" true "global variables; without it the program computes on locals alone";
    Unions "unions" true "unions";
    Pointers "pointers" true "pointers";
    TakeUnionFieldAddr "take-union-field-addr" false "pointers to union members";
    Volatiles "volatiles" true "`volatile` objects";
    Main "main" true "write `main`; also `--nomain`";
    Gnu "gnu" true "GNU C extensions; without it programs are strictly C11";
    FunctionPointers "function-pointers" true "calls through pointers to functions";
    Recursion "recursion" true "functions that call themselves, a bounded number of times";
    InlineFunction "inline-function" true "`inline` on some functions";
    ReturnStructs "return-structs" true "functions that return structs";
    ReturnUnions "return-unions" true "functions that return unions";
    ArgStructs "arg-structs" true "structs as arguments";
    ArgUnions "arg-unions" true "unions as arguments";
    Float "float" true "`float` and `double`, in exact arithmetic alone";
    Sizeof "sizeof" true "`sizeof`";
    Strings "strings" true "string literals";
    CompoundLiterals "compound-literals" true "compound literals";
    Generic "generic" true "`_Generic`";
    StatementExpressions "statement-expressions" true "GNU `({ ... })`";
    Builtins "builtins" true "GNU builtin functions";
    ComputedGoto "computed-goto" true "GNU computed `goto`";
    Variadic "variadic" true "functions with variable arguments, by GNU builtins";
    StaticLocals "static-locals" true "`static` variables in functions";
    Enums "enums" true "enumerations";
    PackedStruct "packed-struct" true "structs under `#pragma pack(1)`; no pointer points into them";
    Attributes "attributes" true "GNU attributes that optimisers act on";
    Argc "argc" false "`main` takes `argc` and `argv`";
    VolatilePointers "volatile-pointers" true "`volatile` pointers";
    ConstPointers "const-pointers" true "`const` pointers";
    VolStructUnionFields "vol-struct-union-fields" true "`volatile` members";
    ConstStructUnionFields "const-struct-union-fields" true "`const` members";
    AddrTakenOfLocals "addr-taken-of-locals" true "pointers to local variables";
    StrictVolatileRule "strict-volatile-rule" false "at most one volatile access between two sequence points, assignments of one volatile object to another included";
    FixedStructFields "fixed-struct-fields" false "structs have as many members as `--max-struct-fields` allows";
    HashValuePrintf "hash-value-printf" false "print the running checksum after each global variable";
    Vectors "vectors" true "GNU vector types";
    ShuffleVector "shufflevector" true "`__builtin_shufflevector`, which gcc has since version 12";
    Int128 "int128" false "`__int128`, which only 64-bit targets have";
    LongDouble "long-double" false "`long double`, with values that `double` holds too";
    Typedefs "typedefs" true "`typedef` names";
    Vla "vla" true "arrays of variable length";
    Alloca "alloca" true "memory from `__builtin_alloca`";
    Malloc "malloc" true "memory from `__builtin_malloc` and `__builtin_calloc`, freed again";
    Restrict "restrict" true "`restrict` parameters";
    Atomics "atomics" true "`_Atomic` objects, used by one thread";
    PureFunctions "pure-functions" true "`pure`, `const` and `nonnull` where the analysis proves them";
    MayAlias "may-alias" true "copies through `may_alias` types";
    Aligned "aligned" true "`aligned` on variables";
    Kernels "kernels" true "functions of loops over array parameters: stencils, reductions, products, searches";
    MixedLoops "mixed-loops" true "loops over arrays of several widths: masks, reductions, strides, gathers, early exits";
    BitLoops "bit-loops" true "functions that loop over the bits of a number: counts, roots, powers, divisors";
    Sweeps "sweeps" true "random arithmetic over all pairs of boundary values";
    Idioms "idioms" true "rotations, byte swaps, saturation and other patterns that compilers look for";
    Freestanding "freestanding" false "no library function: the checksum goes to a global variable `checksum`";
    Paranoid "paranoid" false "assert what the analysis knows of pointers (calls `abort` where it is wrong)";
    CheckGlobal "check-global" false "print the values of the integer global variables at the end";
    MatchExactQualifiers "match-exact-qualifiers" false "pointers are assigned only to pointers of the same qualifiers";
    AccessOnce "enable-access-once" false "reads through `*(volatile T *)&x`";
    StepHash "step-hash-by-stmt" false "print a checksum of the global variables before each statement; what that costs is not part of `--max-steps`";
    MarkMutable "mark-mutable-const" false "parentheses around the constants that global variables begin with: they can be any other of their type";
    VarySize "vary-size" false "draw the size of each program, from less than half to four times `--tokens`, the share of sweeps, and which of `--bit-int`, `--c23`, `--assume`, `--musttail`, `--float16` it has of those that are on";
    IdentifyWrappers "identify-wrappers" false "give each call of a guard a number, its last argument";
    BitInt "bit-int" false "`_BitInt` of up to 128 bits, which clang has from version 14 on and gcc from 14 on";
    C23 "c23" false "C23: `constexpr`, `auto`, `typeof`, enums of a given type, `nullptr`, `[[...]]`, digit separators and more";
    Assume "assume" false "`__attribute__((assume(e)))`, which gcc has from version 13 on and clang from 19 on";
    Musttail "musttail" false "tail calls that must be jumps, which clang has from version 13 on and gcc from 15 on";
    Float16 "float16" false "`_Float16`, with values that it holds exactly";
}

limits! {
    MaxFuncs "max-funcs" 10 1 1000 "functions besides main";
    MaxBlockDepth "max-block-depth" 5 1 20 "depth of nested blocks";
    MaxBlockSize "max-block-size" 4 1 1000 "statements in a block, declarations and the final return not counted";
    MaxExprComplexity "max-expr-complexity" 10 0 100 "operators in an expression";
    MaxArrayDim "max-array-dim" 3 1 6 "dimensions of an array";
    MaxArrayLen "max-array-len-per-dim" 10 1 1000 "elements per dimension";
    ArrayInits "max-array-initialisers" 12 1 1000000 "elements of an array that are given values one by one; larger arrays begin with a few";
    MaxStructFields "max-struct-fields" 10 1 100 "members of a struct";
    MaxUnionFields "max-union-fields" 5 1 100 "members of a union";
    MaxPointerDepth "max-pointer-depth" 2 1 5 "levels of indirection of pointers";
    MaxStructNestedLevel "max-struct-nested-level" 3 0 8 "depth of structs within structs";
    InlineFunctionProb "inline-function-prob" 50 0 100 "functions that are `inline`, in percent";
    BuiltinFunctionProb "builtin-function-prob" 20 0 100 "how likely builtins are; 20 takes the weights as they are";
    DeadCode "dead-code" 0 0 90 "blocks that never run, in percent: the rest of the program runs as it would";
    SweepShare "sweep-share" 25 0 95 "sweeps that `main` calls, in percent of the size";
    NullDeref "null-ptr-deref-prob" 0 0 100 "dereferences of null pointers, in percent of statements, each with a label `null_deref_N`; programs are undefined then";
    DanglingDeref "dangling-ptr-deref-prob" 0 0 100 "the same of dangling pointers, labelled `dangling_deref_N`";
    StopByStmt "stop-by-stmt" 4294967295 1 4294967295 "no more statements after so many";
    Units "units" 1 1 64 "translation units that the program is split into";
    Tokens "tokens" 4000 50 2000000 "size aimed at, in tokens";
    MaxSteps "max-steps" 1000000 1000 1000000000 "bound on the evaluations of a run; no generated program exceeds it";
}

/// Switches that a swarm does not turn: without them a program says nothing.
const FIXED: [Switch; 4] = [Switch::Checksum, Switch::SafeMath, Switch::Main, Switch::GlobalVariables];

/// The weight that [`Options::favour_late`] gives, about that of all others together.
const FAVOURED: u32 = 60;

/// Everything that shapes a program besides the seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    switches: Vec<bool>,
    limits: Vec<u64>,
    /// How likely each construct is, statements first, in the order of the registries.
    pub(crate) weights: Vec<u32>,
    /// Draw the switches that are on by default for each program.
    pub swarm: bool,
    /// Draw the weights of the constructs for each program.
    pub random_random: bool,
    /// Go through all programs instead of drawing.
    pub exhaustive: bool,
    /// How arithmetic is kept from overflowing, if that was said.
    pub safe_math: Option<SafeMath>,
    /// The numbers of the only guards to keep, if they were listed.
    pub kept_guards: Option<Vec<u32>>,
    /// The only functions that `--step-hash-by-stmt` looks at; all, if there are none.
    pub monitored: Vec<String>,
    /// Switches that were turned by name.
    said: Vec<Switch>,
}

/// How arithmetic that could be undefined is made safe.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum SafeMath {
    /// Every operation is a call of a guard (thesis section 3.6.4).
    Wrappers,
    /// Operations that the ranges of their operands prove safe stand bare.
    Analysis,
    /// As [`SafeMath::Analysis`], then calls of guards that never fire in a run become bare operators.
    Elided,
}

impl SafeMath {
    /// All with their names on the command line.
    pub const ALL: [(SafeMath, &'static str); 3] =
        [(SafeMath::Wrappers, "wrappers"), (SafeMath::Analysis, "analysis"), (SafeMath::Elided, "elided")];

    /// The one of a name.
    pub fn named(name: &str) -> Option<SafeMath> {
        SafeMath::ALL.iter().find(|m| m.1 == name).map(|m| m.0)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SafeMath::Wrappers => "wrappers",
            SafeMath::Analysis => "analysis",
            SafeMath::Elided => "elided",
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            switches: SWITCHES.iter().map(|s| s.default).collect(),
            limits: LIMITS.iter().map(|l| l.default).collect(),
            weights: crate::constructs::names().map(|(_, weight)| weight).collect(),
            swarm: false,
            random_random: false,
            exhaustive: false,
            safe_math: None,
            kept_guards: None,
            monitored: Vec::new(),
            said: Vec::new(),
        }
    }
}

/// Why an option was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// No such option.
    Unknown(String),
    /// Known from Csmith and left out, with the reason.
    Left(&'static str, &'static str),
    /// A construct's weight is not `NAME=N` of a construct there is.
    Weight(String),
    /// No kind of builtins.
    Kind(String),
    /// No kind of delta reduction.
    Delta(String),
    /// A file cannot be read.
    File(String, String),
    /// A list of numbers is none.
    List(&'static str, String),
    /// A number is missing or is none.
    Number(&'static str, String),
    /// A number is out of range.
    Bounds(&'static LimitInfo, u64),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(flag) => write!(f, "unknown generator option `{flag}`"),
            OptionError::Left(flag, why) => write!(f, "option `--{flag}` is not supported: {why}"),
            OptionError::Weight(got) => {
                write!(f, "`{got}` is not NAME=N with the name of a construct, as `switch=20`")
            }
            OptionError::Kind(got) => {
                let known = Options::builtin_kinds().collect::<Vec<_>>().join("`, `");
                write!(f, "`{got}` is no kind of builtins; there are `{known}`")
            }
            OptionError::Delta(got) => {
                write!(f, "`{got}` is no kind of delta reduction; there is `simple`")
            }
            OptionError::File(path, why) => write!(f, "cannot read `{path}`: {why}"),
            OptionError::List(flag, got) => {
                write!(f, "option `--{flag}` needs numbers with commas between them, found `{got}`")
            }
            OptionError::Number(flag, got) => {
                write!(f, "option `--{flag}` needs a number, found `{got}`")
            }
            OptionError::Bounds(limit, got) => {
                write!(f, "option `--{}` takes {} to {}, found {got}", limit.flag, limit.min, limit.max)
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl Options {
    /// Is a switch on?
    pub fn on(&self, switch: Switch) -> bool {
        self.switches[switch as usize]
    }

    /// How arithmetic is made safe.
    pub fn guarding(&self) -> SafeMath {
        self.safe_math.unwrap_or(SafeMath::Analysis)
    }

    /// Was a switch turned by name on the command line?
    pub fn said(&self, switch: Switch) -> bool {
        self.said.contains(&switch)
    }

    /// Turns a switch.
    pub fn set(&mut self, switch: Switch, on: bool) {
        self.switches[switch as usize] = on;
    }

    /// The value of a limit.
    pub fn limit(&self, limit: Limit) -> u64 {
        self.limits[limit as usize]
    }

    /// The value of a limit, as a small number.
    pub fn small(&self, limit: Limit) -> u32 {
        u32::try_from(self.limit(limit)).unwrap_or(u32::MAX)
    }

    /// Sets a limit.
    pub fn set_limit(&mut self, limit: Limit, value: u64) -> Result<(), OptionError> {
        let info = &LIMITS[limit as usize];
        if value < info.min || value > info.max {
            return Err(OptionError::Bounds(info, value));
        }
        self.limits[limit as usize] = value;
        Ok(())
    }

    /// The options of one program: with `swarm`, every switch that is on stays on with an even chance.
    pub(crate) fn drawn(&self, choices: &mut crate::choices::Choices) -> Options {
        let mut drawn = self.clone();
        if self.swarm {
            for info in SWITCHES.iter().filter(|s| s.default && !FIXED.contains(&s.switch)) {
                if self.on(info.switch) && choices.percent(50) {
                    drawn.set(info.switch, false);
                }
            }
        }
        if self.swarm || self.on(Switch::VarySize) {
            for (_, late) in LATE.iter().filter(|(_, late)| self.on(*late)) {
                if choices.percent(50) {
                    drawn.set(*late, false);
                }
            }
        }
        if self.on(Switch::StepHash) {
            // Whatever prints is not pure.
            drawn.set(Switch::PureFunctions, false);
        }
        if self.on(Switch::VarySize) {
            let percent = choices.pick(&[100u64, 40, 40, 100, 225, 400]);
            let tokens = &mut drawn.limits[Limit::Tokens as usize];
            *tokens = (*tokens * percent / 100).clamp(50, LIMITS[Limit::Tokens as usize].max);
            let share = &mut drawn.limits[Limit::SweepShare as usize];
            if *share > 0 && choices.percent(70) {
                *share = 80;
            }
        }
        if self.random_random {
            for ((name, _), weight) in crate::constructs::names().zip(&mut drawn.weights) {
                // What is off takes no draw, so that programs are those of before there was such a construct.
                if crate::constructs::late(name).is_none_or(|late| drawn.switches[late as usize]) {
                    *weight = choices.below(2 * *weight + 1);
                }
            }
        }
        let percent = self.small(Limit::BuiltinFunctionProb);
        for ((name, _), weight) in crate::constructs::names().zip(&mut drawn.weights) {
            if name.ends_with("builtin") {
                *weight = (*weight * percent).div_ceil(20);
            }
        }
        drawn
    }

    /// The switches of what compilers of a few years ago refuse, which are off unless asked for.
    pub fn late() -> impl Iterator<Item = Switch> {
        LATE.iter().map(|(_, switch)| *switch)
    }

    /// Makes frequent what [`Options::late`] has and is on: who is to be asked about it needs few programs.
    pub fn favour_late(&mut self) {
        for ((name, _), weight) in crate::constructs::names().zip(&mut self.weights) {
            if crate::constructs::late(name).is_some_and(|late| self.switches[late as usize]) {
                *weight = FAVOURED;
            }
        }
    }

    /// Takes away the weights of constructs whose switch in [`LATE`] is off: others are drawn as if there were none.
    pub(crate) fn silence_late(&mut self) {
        for ((name, _), weight) in crate::constructs::names().zip(&mut self.weights) {
            if crate::constructs::late(name).is_some_and(|late| !self.switches[late as usize]) {
                *weight = 0;
            }
        }
    }

    /// Sets the weight of a construct: `switch=20`.
    pub fn set_weight(&mut self, text: &str) -> Result<(), OptionError> {
        let bad = || OptionError::Weight(text.to_string());
        let (name, value) = text.split_once('=').ok_or_else(bad)?;
        let value: u32 = value.trim().parse().map_err(|_| bad())?;
        let name = name.trim().replace('-', " ");
        let index = crate::constructs::names().position(|(n, _)| n == name).ok_or_else(bad)?;
        self.weights[index] = value.min(10_000);
        Ok(())
    }

    /// The kinds of builtins, which are constructs.
    pub fn builtin_kinds() -> impl Iterator<Item = &'static str> {
        crate::constructs::names().filter_map(|(name, _)| name.strip_suffix(" builtin"))
    }

    /// Switches off these kinds of builtins, or all others.
    pub(crate) fn set_builtin_kinds(&mut self, list: &str, others: bool) -> Result<(), OptionError> {
        let listed: Vec<&str> = list.split(',').map(str::trim).collect();
        if let Some(bad) = listed.iter().find(|kind| !Options::builtin_kinds().any(|k| k == **kind)) {
            return Err(OptionError::Kind((*bad).to_string()));
        }
        for ((name, _), weight) in crate::constructs::names().zip(&mut self.weights) {
            if let Some(kind) = name.strip_suffix(" builtin")
                && listed.contains(&kind) != others
            {
                *weight = 0;
            }
        }
        Ok(())
    }

    /// Sets weights from lines of `name=weight`; empty lines and lines that start with `#` say nothing.
    pub fn set_probabilities(&mut self, text: &str) -> Result<(), OptionError> {
        let lines = text.lines().map(str::trim);
        lines.filter(|l| !l.is_empty() && !l.starts_with('#')).try_for_each(|line| self.set_weight(line))
    }

    /// The weights as [`Options::set_probabilities`] reads them.
    pub fn probabilities(&self) -> String {
        let named = crate::constructs::names().zip(&self.weights);
        named.map(|((name, _), weight)| format!("{}={weight}\n", name.replace(' ', "-"))).collect()
    }

    /// Turns a switch by name.
    pub(crate) fn say(&mut self, switch: Switch, on: bool) {
        self.set(switch, on);
        self.said.push(switch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_own_index() {
        assert!(SWITCHES.iter().enumerate().all(|(n, s)| s.switch as usize == n));
        assert!(LIMITS.iter().enumerate().all(|(n, l)| l.limit as usize == n));
    }
}
