//! The state of one run, and the loop that takes tokens and prints them.

use crate::Host;
use crate::arguments::Arg;
use crate::compiler::Compiler;
use crate::define::Macro;
use crate::directive::Conditional;
use crate::error::{Error, Trouble, Warning};
use crate::expand::Context;
use crate::include::{File, Place};
use crate::lex::{Dialect, Lexer};
use crate::names::Names;
use crate::print::Printer;
use crate::source::Source;
use crate::token::{Kind, Tok};
use std::collections::HashMap;
use std::sync::Arc;

/// Bounds of a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Files included within each other.
    pub depth: usize,
    /// Files included.
    pub includes: u64,
    /// Bytes of all files read.
    pub bytes: u64,
    /// Tokens that macro expansion makes.
    pub tokens: u64,
    /// Tokens of one outermost expansion that are held at a time; each takes about 50 bytes.
    pub held: usize,
    /// Bytes of the result.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 200,
            includes: 50_000,
            bytes: 1 << 30,
            tokens: 200_000_000,
            held: 1 << 22,
            output: 256 << 20,
        }
    }
}

/// `-D` and `-U`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroOption {
    /// `-D NAME`, `-D NAME=VALUE` or `-D 'NAME(A,B)=VALUE'`.
    Define(String),
    /// `-U NAME`.
    Undefine(String),
}

/// What is said on a compiler's command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the file, for markers and `__FILE__`.
    pub name: String,
    /// Directories of `-I`.
    pub include: Vec<String>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<MacroOption>,
    /// Files of `-include`.
    pub forced: Vec<String>,
    /// The time for `__DATE__` and `__TIME__`, in seconds since 1970.
    pub time: u64,
    /// Bounds of the run.
    pub limits: Limits,
}

/// The result.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The text, with line markers.
    pub text: Vec<u8>,
    /// What `#warning` said.
    pub warnings: Vec<Warning>,
}

/// Preprocesses a text.
pub fn preprocess(
    text: Arc<Source>,
    options: &Options,
    compiler: &Compiler,
    host: &mut dyn Host,
) -> Result<Output, Error> {
    let mut run = Run::new(options, compiler, host);
    match run.all(text) {
        Ok(()) => Ok(Output { text: run.printer.out, warnings: run.warnings }),
        Err(trouble) => Err(run.error(*trouble.0)),
    }
}

/// One run.
pub(crate) struct Run<'a> {
    pub options: &'a Options,
    pub compiler: &'a Compiler,
    pub host: &'a mut dyn Host,
    pub dialect: Dialect,
    /// Directories of `-I` that the compiler does not search anyway.
    pub include: Vec<&'a str>,
    pub names: Names,
    pub words: crate::directive::Words,
    pub macros: Vec<Macro>,
    /// The replacement lists of all macros.
    pub bodies: Vec<Tok>,
    /// Tokens of expansions in progress.
    pub arena: Vec<Tok>,
    pub contexts: Vec<Context>,
    /// A token of the file that was read too early.
    pub lookahead: Option<Tok>,
    /// Arguments of the calls in progress.
    pub args: Vec<Arg>,
    /// Buffers to use again.
    pub spare: Vec<Vec<Tok>>,
    /// The file being read.
    pub lexer: Lexer,
    /// The files being read, the current one last.
    pub files: Vec<File>,
    pub conditionals: Vec<Conditional>,
    pub known: HashMap<Vec<u8>, crate::include::Known>,
    /// Where a name, looked for from a directory on, was found: the directory and the path.
    pub found: HashMap<(Vec<u8>, usize), (usize, Vec<u8>)>,
    pub once: Vec<Arc<Source>>,
    pub saved_macros: HashMap<crate::names::Symbol, Vec<crate::names::Meaning>>,
    pub printer: Printer,
    pub warnings: Vec<Warning>,
    pub in_directive: bool,
    /// Macro names are returned as they are.
    pub prevent_expansion: u32,
    /// Not 0 while looking for the parenthesis of a call (1) or reading its arguments (2).
    pub parsing_args: u8,
    /// Calls whose arguments are being read or replaced: their tokens are in the arena.
    pub calls: u32,
    /// Macro expansions nested in arguments.
    pub depth: u32,
    /// Where the outermost macro being expanded stands.
    pub invocation: (u32, u32),
    /// The line of the closing parenthesis of the last call that was read.
    pub call_end: u32,
    pub counter: u64,
    pub tokens: u64,
    pub includes: u64,
    pub bytes: u64,
    /// A token of the current file was read outside the conditional that may guard it.
    pub dirty: bool,
    /// The last token came from the file, not from an expansion.
    pub from_file: bool,
}

impl<'a> Run<'a> {
    fn new(options: &'a Options, compiler: &'a Compiler, host: &'a mut dyn Host) -> Run<'a> {
        let mut names = Names::new();
        let words = crate::directive::Words::new(&mut names);
        Run {
            options,
            compiler,
            host,
            dialect: compiler.dialect(),
            include: options
                .include
                .iter()
                .map(String::as_str)
                .filter(|dir| !compiler.searches(dir))
                .collect(),
            names,
            words,
            macros: Vec::new(),
            bodies: Vec::new(),
            arena: Vec::new(),
            contexts: Vec::new(),
            lookahead: None,
            args: Vec::new(),
            spare: Vec::new(),
            lexer: Lexer::new(Arc::new(Source::new(Vec::new(), false))),
            files: Vec::new(),
            conditionals: Vec::new(),
            known: HashMap::new(),
            found: HashMap::new(),
            once: Vec::new(),
            saved_macros: HashMap::new(),
            printer: Printer::default(),
            warnings: Vec::new(),
            in_directive: false,
            prevent_expansion: 0,
            parsing_args: 0,
            calls: 0,
            depth: 0,
            invocation: (0, 0),
            call_end: 0,
            counter: 0,
            tokens: 0,
            includes: 0,
            bytes: 0,
            dirty: false,
            from_file: true,
        }
    }

    fn error(&self, inner: crate::error::Inner) -> Error {
        let file = self.files.last().map_or_else(|| self.options.name.clone(), |file| file.shown_name());
        let shift = self.files.last().map_or(0, |file| file.line_shift);
        let line = if inner.line == 0 { 0 } else { shifted(inner.line, shift) };
        let source_line = (inner.line == self.lexer.line).then(|| {
            let text = &self.lexer.source.text[self.lexer.line_start.min(self.lexer.source.len())..];
            let end = text.iter().position(|b| *b == b'\n').unwrap_or(0);
            String::from_utf8_lossy(&text[..end]).replace(|c: char| c.is_control() && c != '\t', "\u{fffd}")
        });
        Error { kind: inner.kind, file, line, column: inner.column, message: inner.message, source_line }
    }

    fn all(&mut self, text: Arc<Source>) -> Result<(), Trouble> {
        self.define_builtins();
        let prelude = Arc::clone(&self.compiler.prelude);
        self.quietly("<built-in>", prelude)?;
        if !self.options.macros.is_empty() {
            let lines = Source::new(self.command_line(), false);
            self.quietly("<command-line>", Arc::new(lines))?;
        }
        self.printer.marker(0, self.options.name.as_bytes(), "", false);
        let name = self.options.name.clone().into_bytes();
        if !self.options.forced.is_empty() {
            self.begin(
                File::new(b"<command-line>".to_vec(), Place::Here),
                Arc::new(Source::new(Vec::new(), false)),
            )?;
            for forced in &self.options.forced {
                self.include_forced(forced.as_bytes())?;
                self.copy_all()?;
            }
            self.files.pop();
        }
        self.begin(File::new(name, Place::Here), text)?;
        self.printer.marker(1, self.options.name.as_bytes(), "", false);
        self.copy_all()?;
        self.printer.end_line();
        Ok(())
    }

    /// Reads a text of directives.
    fn quietly(&mut self, name: &str, text: Arc<Source>) -> Result<(), Trouble> {
        self.begin(File::new(name.as_bytes().to_vec(), Place::Here), text)?;
        while self.get()?.kind != Kind::Eof {}
        self.files.pop();
        self.printer = Printer::default();
        Ok(())
    }

    /// Starts reading a file that is not included by another.
    fn begin(&mut self, file: File, text: Arc<Source>) -> Result<(), Trouble> {
        self.files.push(file);
        if text.len() >= crate::source::LARGEST {
            return Err(Trouble::limit(0, 0, "the file is too large"));
        }
        self.printer.out.reserve(text.len() + text.len() / 2);
        self.lexer = Lexer::new(text);
        Ok(())
    }

    /// `-D` and `-U` as directives.
    fn command_line(&self) -> Vec<u8> {
        let mut lines = String::new();
        for option in &self.options.macros {
            match option {
                MacroOption::Define(text) => match text.split_once('=') {
                    Some((name, value)) => lines.push_str(&format!("#define {name} {value}\n")),
                    None => lines.push_str(&format!("#define {text} 1\n")),
                },
                MacroOption::Undefine(name) => lines.push_str(&format!("#undef {name}\n")),
            }
        }
        lines.into_bytes()
    }

    /// Prints all tokens to the end of the file and of what it includes.
    fn copy_all(&mut self) -> Result<(), Trouble> {
        loop {
            if self.contexts.is_empty() && self.lookahead.is_none() && !self.printer.gap.seen {
                self.arena.clear();
                self.copy()?;
            }
            let tok = self.get()?;
            match tok.kind {
                Kind::Eof => return Ok(()),
                Kind::Padding => self.printer.gap.pad(tok),
                Kind::Pragma => self.print_pragma(tok),
                _ => self.print(tok),
            }
            if self.printer.out.len() > self.options.limits.output {
                return Err(self.limit("the preprocessed text is too large"));
            }
        }
    }

    /// An error at the place being read.
    pub fn reject(&self, message: impl Into<String>) -> Trouble {
        Trouble::rejected(self.lexer.line, self.lexer.column(), message)
    }

    /// An error at a token.
    pub fn reject_at(&self, tok: Tok, message: impl Into<String>) -> Trouble {
        if tok.line == 0 { self.reject(message) } else { Trouble::rejected(tok.line, tok.column, message) }
    }

    /// A limit reached at the place being read.
    pub fn limit(&self, message: impl Into<String>) -> Trouble {
        Trouble::limit(self.lexer.line, self.lexer.column(), message)
    }

    /// Something left to the compiler.
    pub fn unhandled(&self, what: impl Into<String>) -> Trouble {
        self.reject(what).unhandled()
    }

    /// A buffer for tokens; give it back with [`Run::give_back`].
    pub fn buffer(&mut self) -> Vec<Tok> {
        self.spare.pop().unwrap_or_default()
    }

    /// Keeps a buffer for the next use.
    pub fn give_back(&mut self, mut buffer: Vec<Tok>) {
        buffer.clear();
        self.spare.push(buffer);
    }

    /// Counts tokens that expansion makes.
    pub fn spend(&mut self, tokens: usize) -> Result<(), Trouble> {
        self.tokens += tokens as u64 + 1;
        let limits = &self.options.limits;
        if self.tokens > limits.tokens || self.arena.len() > limits.held || self.names.size() > 512 << 20 {
            return Err(self.limit("macro expansion does not come to an end within its limit"));
        }
        Ok(())
    }
}

/// A line number as `#line` renumbers it.
pub(crate) fn shifted(line: u32, shift: i64) -> u32 {
    (i64::from(line) + shift).clamp(0, i64::from(u32::MAX)) as u32
}
