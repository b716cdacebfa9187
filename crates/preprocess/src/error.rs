//! Why there is no preprocessed text, and where in the source the reason is.

/// What kind of reason.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The text is wrong: a compiler refuses it too.
    Rejected,
    /// Something this preprocessor leaves to the compiler's own.
    Unhandled,
    /// A limit was reached.
    Limit,
}

/// An error at its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Whose fault it is.
    pub kind: ErrorKind,
    /// The file, as `#line` may have renamed it.
    pub file: String,
    /// Its line, from 1; 0 if no line is to blame.
    pub line: u32,
    /// The column in bytes, from 1; 0 if the line as a whole.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// The line of the source, if it is at hand.
    pub source_line: Option<String>,
}

/// Longer lines are not shown.
const WIDEST: usize = 160;

impl Error {
    /// The message with the line of the source and a caret under the place, as compilers print it.
    pub fn rendered(&self) -> String {
        let Some(line) = self.source_line.as_ref().filter(|line| line.len() <= WIDEST && self.column > 0)
        else {
            return self.to_string();
        };
        let before = line.bytes().take(self.column as usize - 1);
        let before: String = before.map(|b| if b == b'\t' { '\t' } else { ' ' }).collect();
        format!("{self}\n | {line}\n | {before}^")
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        write!(f, ": error: {}", self.message)
    }
}

impl std::error::Error for Error {}

/// A warning at its place: from `#warning`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The text.
    pub message: String,
}

/// An error inside a file whose name is not yet put to it. Boxed: results are on the fast path.
#[derive(Debug)]
pub(crate) struct Trouble(pub Box<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub kind: ErrorKind,
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl Trouble {
    /// The text is wrong.
    pub fn rejected(line: u32, column: u32, message: impl Into<String>) -> Trouble {
        Trouble(Box::new(Inner { kind: ErrorKind::Rejected, line, column, message: message.into() }))
    }

    /// A limit was reached.
    pub fn limit(line: u32, column: u32, message: impl Into<String>) -> Trouble {
        let mut trouble = Trouble::rejected(line, column, message);
        trouble.0.kind = ErrorKind::Limit;
        trouble
    }

    /// The same as something left to the compiler.
    pub fn unhandled(mut self) -> Trouble {
        self.0.kind = ErrorKind::Unhandled;
        self.0.message = format!("not handled: {}", self.0.message);
        self
    }
}
