//! Options as words of a command line, named and meant as Csmith's users know them.

use crate::options::{LIMITS, LimitInfo, OptionError, Options, SWITCHES, SafeMath, Switch};
use crate::peer_options::{IMPLIED, LEFT};

/// Options that take a text: name, what the text is, what the option does.
pub const TEXTS: &[(&str, &str, &str)] = &[
    (
        "weight",
        "NAME=N",
        "how likely a construct is, in relation to the others; blanks in names are written `-`",
    ),
    ("probability-configuration", "FILE", "weights from a file of lines `name=weight`"),
    ("dump-default-probabilities", "FILE", "`plumb gen`: write the default weights to a file"),
    ("dump-random-probabilities", "FILE", "`plumb gen`: write the weights drawn for the seed to a file"),
    (
        "safe-math-wrappers",
        "N,N...",
        "keep only these guards, by the numbers of `--identify-wrappers`; 0 is none of them",
    ),
    (
        "enable-builtin-kinds",
        "KIND,...",
        "only these kinds of builtins: `bit`, `overflow`, `compare`, `memory`",
    ),
    ("disable-builtin-kinds", "KIND,...", "builtins without these kinds"),
    ("monitor-funcs", "NAME,...", "the only functions that `--step-hash-by-stmt` looks at"),
    (
        "delta-monitor",
        "simple",
        "`plumb gen`: write the choices to `--delta-output`; `--choices FILE` is the shorter way to say it",
    ),
    ("delta-output", "FILE", "where `--delta-monitor` and `--go-delta` write choices [the `--delta-input`]"),
    ("delta-input", "FILE", "`plumb gen`: the choices that `--go-delta` starts from"),
    (
        "go-delta",
        "simple",
        "`plumb gen`: one step of reduction: the program of `--delta-input` with a stretch of its choices, drawn by \
         `--seed`, taken out, and the choices that made it",
    ),
    ("max-split-files", "N", "another name of `--units`"),
    ("max-nested-struct-level", "N", "another name of `--max-struct-nested-level`"),
    ("split-files-dir", "DIR", "`plumb gen`: another name of `--output`"),
];

/// Options without a value that are no switches: name, what they do.
pub const WORDS: &[(&str, &str)] = &[
    ("swarm", "turn each switch that is on off with an even chance, anew for each program"),
    ("random-random", "draw the weights of the constructs anew for each program"),
    (
        "dfs-exhaustive",
        "`plumb gen`: all programs in the order of their choices, beginning with the `--seed`th; set small limits",
    ),
    ("no-delta-reduction", "with `--go-delta`: the program of `--delta-input` as it is, as by `--replay`"),
    ("nomain", "another name of `--no-main`"),
    ("take-no-union-field-addr", "another name of `--no-take-union-field-addr`"),
];

/// The name and value of `--name=value`.
fn parts(word: &str) -> Option<(&str, Option<&str>)> {
    let name = word.strip_prefix("--")?;
    Some(name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value))))
}

fn limit(name: &str) -> Option<&'static LimitInfo> {
    LIMITS.iter().find(|l| l.flag == name)
}

/// The switch that a name turns, and whether on or off.
fn switch(name: &str) -> Option<(Switch, bool)> {
    let find = |name: &str| SWITCHES.iter().find(|s| s.flag == name).map(|s| s.switch);
    match name {
        "nomain" => Some((Switch::Main, false)),
        "take-no-union-field-addr" => Some((Switch::TakeUnionFieldAddr, false)),
        _ => match find(name) {
            Some(known) => Some((known, true)),
            None => Some((find(name.strip_prefix("no-")?)?, false)),
        },
    }
}

impl Options {
    /// How many words an option takes, itself included, where `next` comes after it; 0 if it is none of the
    /// generator's. Options that are left out count as known, so that the reason can be told.
    pub fn words(word: &str, next: Option<&str>) -> usize {
        let Some((name, given)) = parts(word) else { return 0 };
        let with = |takes: bool| 1 + usize::from(takes && given.is_none() && next.is_some());
        if name == "safe-math" {
            return with(next.and_then(SafeMath::named).is_some());
        }
        if limit(name).is_some() || TEXTS.iter().any(|t| t.0 == name) {
            return with(true);
        }
        if let Some((_, takes, _)) = LEFT.iter().find(|(flag, ..)| *flag == name) {
            return with(*takes);
        }
        let known = switch(name).is_some()
            || WORDS.iter().any(|w| w.0 == name)
            || IMPLIED.iter().any(|(flag, _)| *flag == name);
        usize::from(known && given.is_none())
    }

    /// Reads options as Csmith's command line has them: `--no-unions --max-funcs 5`, also `--max-funcs=5`.
    pub fn parse<S: AsRef<str>>(args: &[S]) -> Result<Options, OptionError> {
        let mut options = Options::default();
        let mut at = 0;
        while let Some(word) = args.get(at).map(AsRef::as_ref) {
            let next = args.get(at + 1).map(AsRef::as_ref);
            let taken = Options::words(word, next);
            let (name, given) = parts(word).ok_or_else(|| OptionError::Unknown(word.to_string()))?;
            if taken == 0 {
                return Err(OptionError::Unknown(word.to_string()));
            }
            options.apply(name, given.or(if taken == 2 { next } else { None }))?;
            at += taken;
        }
        Ok(options)
    }

    fn apply(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        if let Some(info) = limit(match name {
            "max-split-files" => "units",
            "max-nested-struct-level" => "max-struct-nested-level",
            other => other,
        }) {
            let text = value.unwrap_or("");
            let number = text.parse().map_err(|_| OptionError::Number(info.flag, text.to_string()))?;
            // Csmith splits into 0 files where it does not split.
            let number = if name == "max-split-files" && number == 0 { 1 } else { number };
            return self.set_limit(info.limit, number);
        }
        if name == "safe-math"
            && let Some(value) = value
        {
            let mode =
                SafeMath::named(value).ok_or_else(|| OptionError::Unknown(format!("--safe-math={value}")))?;
            self.safe_math = Some(mode);
            self.say(Switch::SafeMath, true);
            return Ok(());
        }
        if let Some((switch, on)) = switch(name) {
            self.say(switch, on);
            return Ok(());
        }
        match (name, value.unwrap_or("")) {
            ("swarm", _) => self.swarm = true,
            ("random-random", _) => self.random_random = true,
            ("dfs-exhaustive", _) => self.exhaustive = true,
            ("monitor-funcs", list) => {
                self.monitored.extend(list.split(',').map(|name| name.trim().to_string()));
            }
            ("delta-monitor" | "go-delta", kind) if kind != "simple" => {
                return Err(OptionError::Delta(kind.to_string()));
            }
            ("enable-builtin-kinds", list) => self.set_builtin_kinds(list, true)?,
            ("disable-builtin-kinds", list) => self.set_builtin_kinds(list, false)?,
            ("weight", text) => self.set_weight(text)?,
            ("probability-configuration", path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|e| OptionError::File(path.to_string(), e.to_string()))?;
                self.set_probabilities(&text)?;
            }
            ("safe-math-wrappers", list) => {
                let numbers = list.split(',').map(|n| n.trim().parse()).collect::<Result<Vec<u32>, _>>();
                let bad = |_| OptionError::List("safe-math-wrappers", list.to_string());
                self.kept_guards = Some(numbers.map_err(bad)?);
            }
            _ => {
                if let Some((flag, _, why)) = LEFT.iter().find(|(flag, ..)| *flag == name) {
                    return Err(OptionError::Left(flag, why));
                }
            }
        }
        Ok(())
    }

    /// The words that give these options, those at their defaults left out.
    pub fn command_line(&self) -> Vec<String> {
        let plain = Options::default();
        let mut words = Vec::new();
        for info in SWITCHES.iter().filter(|info| self.on(info.switch) != plain.on(info.switch)) {
            let no = if self.on(info.switch) { "" } else { "no-" };
            words.push(format!("--{no}{}", info.flag));
        }
        for info in LIMITS.iter().filter(|info| self.limit(info.limit) != plain.limit(info.limit)) {
            words.extend([format!("--{}", info.flag), self.limit(info.limit).to_string()]);
        }
        for (((name, _), weight), usual) in crate::constructs::names().zip(&self.weights).zip(&plain.weights)
        {
            if weight != usual {
                words.extend(["--weight".to_string(), format!("{}={weight}", name.replace(' ', "-"))]);
            }
        }
        if let Some(mode) = self.safe_math {
            words.extend(["--safe-math".to_string(), mode.name().to_string()]);
        }
        if let Some(numbers) = &self.kept_guards {
            let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
            words.extend(["--safe-math-wrappers".to_string(), numbers.join(",")]);
        }
        if !self.monitored.is_empty() {
            words.extend(["--monitor-funcs".to_string(), self.monitored.join(",")]);
        }
        let flags = [
            (self.swarm, "swarm"),
            (self.random_random, "random-random"),
            (self.exhaustive, "dfs-exhaustive"),
        ];
        words.extend(flags.iter().filter(|(on, _)| *on).map(|(_, flag)| format!("--{flag}")));
        words
    }

    /// The options of the program of a seed, drawn where `--swarm` or `--random-random` draw them.
    pub fn of_seed(&self, seed: u64) -> Options {
        self.drawn(&mut crate::choices::Choices::from_seed(seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limit;

    #[test]
    fn reads_what_csmith_reads() {
        let words = ["--max-funcs", "5", "--no-structs", "--max-block-size=3", "--nomain", "--concise"];
        let options = Options::parse(&words).unwrap();
        assert_eq!(options.limit(Limit::MaxFuncs), 5);
        assert_eq!(options.limit(Limit::MaxBlockSize), 3);
        assert!(!options.on(Switch::Structs) && !options.on(Switch::Main) && options.on(Switch::Arrays));
    }

    #[test]
    fn safe_math_is_a_switch_and_a_choice() {
        let options = Options::parse(&["--safe-math", "--no-unions"]).unwrap();
        assert_eq!((options.safe_math, options.guarding()), (None, SafeMath::Analysis));
        let options = Options::parse(&["--safe-math", "elided", "--no-unions"]).unwrap();
        assert_eq!(options.guarding(), SafeMath::Elided);
        assert!(!options.on(Switch::Unions));
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(Options::parse(&["--frob"]), Err(OptionError::Unknown("--frob".to_string())));
        assert!(matches!(Options::parse(&["--max-funcs", "x"]), Err(OptionError::Number(..))));
        assert!(matches!(Options::parse(&["--max-funcs"]), Err(OptionError::Number(..))));
        assert!(matches!(Options::parse(&["--max-funcs", "0"]), Err(OptionError::Bounds(..))));
        assert!(matches!(Options::parse(&["--klee"]), Err(OptionError::Left(..))));
        assert!(matches!(Options::parse(&["--safe-math-wrappers", "1,x"]), Err(OptionError::List(..))));
        assert!(matches!(Options::parse(&["--disable-builtin-kinds", "x86"]), Err(OptionError::Kind(..))));
    }

    #[test]
    fn options_are_words_again() {
        assert!(Options::default().command_line().is_empty());
        let line = "--no-unions --int128 --max-funcs 5 --weight switch=21 --safe-math elided \
                    --safe-math-wrappers 1,2 --monitor-funcs f,g --swarm";
        let words: Vec<&str> = line.split_whitespace().collect();
        let options = Options::parse(&words).unwrap();
        let again = options.command_line();
        assert_eq!(again.len(), words.len(), "{again:?}");
        let read = Options::parse(&again).unwrap();
        assert_eq!(read.command_line(), again);
        assert_eq!((read.limit(Limit::MaxFuncs), read.guarding()), (5, SafeMath::Elided));
        assert!(!read.on(Switch::Unions) && read.on(Switch::Int128) && read.swarm);
    }
}
