//! Options: switches, limits and weights, named as Csmith's users know them.
//!
//! Every option is one row of a table, from which parsing, defaults, help and the manual come.

use crate::peer_options::{IMPLIED, LEFT};
use std::fmt;

macro_rules! switches {
    ($($variant:ident $flag:literal $default:literal $doc:literal;)*) => {
        /// Something that can be switched on or off: `--flag` and `--no-flag`.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
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
}

limits! {
    MaxFuncs "max-funcs" 10 1 1000 "functions besides main";
    MaxBlockDepth "max-block-depth" 5 1 20 "depth of nested blocks";
    MaxBlockSize "max-block-size" 4 1 1000 "statements in a block, declarations and the final return not counted";
    MaxExprComplexity "max-expr-complexity" 10 0 100 "operators in an expression";
    MaxArrayDim "max-array-dim" 3 1 6 "dimensions of an array";
    MaxArrayLen "max-array-len-per-dim" 10 1 1000 "elements per dimension";
    MaxStructFields "max-struct-fields" 10 1 100 "members of a struct";
    MaxUnionFields "max-union-fields" 5 1 100 "members of a union";
    MaxPointerDepth "max-pointer-depth" 2 1 5 "levels of indirection of pointers";
    MaxStructNestedLevel "max-struct-nested-level" 3 0 8 "depth of structs within structs";
    InlineFunctionProb "inline-function-prob" 50 0 100 "functions that are `inline`, in percent";
    Tokens "tokens" 4000 50 2000000 "size aimed at, in tokens";
    MaxSteps "max-steps" 1000000 1000 1000000000 "bound on the evaluations of a run; no generated program exceeds it";
}

/// Switches that a swarm does not turn: without them a program says nothing.
const FIXED: [Switch; 4] = [Switch::Checksum, Switch::SafeMath, Switch::Main, Switch::GlobalVariables];

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
}

impl Default for Options {
    fn default() -> Options {
        Options {
            switches: SWITCHES.iter().map(|s| s.default).collect(),
            limits: LIMITS.iter().map(|l| l.default).collect(),
            weights: crate::constructs::names().map(|(_, weight)| weight).collect(),
            swarm: false,
            random_random: false,
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
    /// A file cannot be read.
    File(String, String),
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
            OptionError::File(path, why) => write!(f, "cannot read `{path}`: {why}"),
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
        if self.random_random {
            drawn.weights = self.weights.iter().map(|w| choices.below(2 * w + 1)).collect();
        }
        drawn
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

    /// Reads options as Csmith's command line has them: `--no-unions --max-funcs 5`, also `--max-funcs=5`.
    pub fn parse<S: AsRef<str>>(args: &[S]) -> Result<Options, OptionError> {
        let mut options = Options::default();
        let mut args = args.iter().map(AsRef::as_ref);
        while let Some(arg) = args.next() {
            let (flag, given) = match arg.split_once('=').filter(|(flag, _)| flag.starts_with("--")) {
                Some((flag, value)) => (flag, Some(value)),
                None => (arg, None),
            };
            if let Some(limit) = Options::takes_value(flag) {
                let text = given.or_else(|| args.next()).unwrap_or("");
                let value = text.parse().map_err(|_| OptionError::Number(limit.flag, text.to_string()))?;
                options.set_limit(limit.limit, value)?;
            } else if flag == "--weight" {
                options.set_weight(given.or_else(|| args.next()).unwrap_or(""))?;
            } else if flag == "--probability-configuration" {
                let path = given.or_else(|| args.next()).unwrap_or("");
                let text = std::fs::read_to_string(path)
                    .map_err(|e| OptionError::File(path.to_string(), e.to_string()))?;
                options.set_probabilities(&text)?;
            } else {
                options.flag(flag)?;
            }
        }
        Ok(options)
    }

    /// The limit that a flag sets, if it takes a value.
    pub fn takes_value(flag: &str) -> Option<&'static LimitInfo> {
        let name = flag.strip_prefix("--")?;
        LIMITS.iter().find(|l| l.flag == name)
    }

    /// Applies a flag without a value.
    pub fn flag(&mut self, flag: &str) -> Result<(), OptionError> {
        let unknown = || OptionError::Unknown(flag.to_string());
        let name = flag.strip_prefix("--").ok_or_else(unknown)?;
        if name == "nomain" {
            self.set(Switch::Main, false);
            return Ok(());
        }
        if name == "swarm" {
            self.swarm = true;
            return Ok(());
        }
        if name == "random-random" {
            self.random_random = true;
            return Ok(());
        }
        if name == "take-no-union-field-addr" {
            self.set(Switch::TakeUnionFieldAddr, false);
            return Ok(());
        }
        if IMPLIED.iter().any(|(flag, _)| *flag == name) {
            return Ok(());
        }
        if let Some((flag, _, why)) = LEFT.iter().find(|(flag, ..)| *flag == name) {
            return Err(OptionError::Left(flag, why));
        }
        let (name, on) = match name.strip_prefix("no-") {
            Some(rest) => (rest, false),
            None => (name, true),
        };
        let known = SWITCHES.iter().find(|s| s.flag == name).ok_or_else(unknown)?;
        self.set(known.switch, on);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_csmith_reads() {
        let options =
            Options::parse(&["--max-funcs", "5", "--no-structs", "--max-block-size=3", "--nomain"]).unwrap();
        assert_eq!(options.limit(Limit::MaxFuncs), 5);
        assert_eq!(options.limit(Limit::MaxBlockSize), 3);
        assert!(!options.on(Switch::Structs) && !options.on(Switch::Main) && options.on(Switch::Arrays));
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(Options::parse(&["--frob"]), Err(OptionError::Unknown("--frob".to_string())));
        assert!(matches!(Options::parse(&["--max-funcs", "x"]), Err(OptionError::Number(..))));
        assert!(matches!(Options::parse(&["--max-funcs", "0"]), Err(OptionError::Bounds(..))));
    }

    #[test]
    fn rows_stand_at_their_own_index() {
        assert!(SWITCHES.iter().enumerate().all(|(n, s)| s.switch as usize == n));
        assert!(LIMITS.iter().enumerate().all(|(n, l)| l.limit as usize == n));
    }
}
