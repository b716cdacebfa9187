//! Macro expansion (C11 6.10.3): tokens come from a stack of contexts, each an expansion in progress, above the file.
//!
//! A macro is disabled from when its replacement is pushed until a token is asked for behind its end.

use crate::error::Trouble;
use crate::names::{Meaning, Symbol};
use crate::state::Run;
use crate::token::{BOL, Kind, NO_EXPAND, PASTE_LEFT, Tok, WHITE};

/// Where the tokens of a context are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pool {
    /// In a replacement list.
    Bodies,
    /// In the arena.
    Arena,
}

/// Tokens to read before what lies beneath.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Context {
    pool: Pool,
    at: u32,
    end: u32,
    /// The macro to enable again at the end.
    of: Option<Symbol>,
    /// The line of tokens from a replacement list: where the macro was used.
    line: u32,
}

impl Run<'_> {
    /// The next token, macros expanded. Names of macros that cannot expand are returned.
    pub fn get(&mut self) -> Result<Tok, Trouble> {
        loop {
            let mut tok;
            if let Some(context) = self.contexts.last_mut() {
                if context.at == context.end {
                    self.leave_context();
                    if self.in_directive {
                        continue;
                    }
                    return Ok(Tok::padding());
                }
                tok = match context.pool {
                    Pool::Bodies => Tok { line: context.line, ..self.bodies[context.at as usize] },
                    Pool::Arena => self.arena[context.at as usize],
                };
                context.at += 1;
                self.from_file = false;
                if tok.flags & PASTE_LEFT != 0 {
                    self.paste_all(tok)?;
                    if self.in_directive {
                        continue;
                    }
                    return Ok(Tok::padding_for(tok));
                }
            } else {
                tok = self.file_token()?;
                self.from_file = true;
            }
            if tok.kind != Kind::Name || tok.flags & NO_EXPAND != 0 {
                return Ok(tok);
            }
            if self.names.meaning(tok.sym) == Meaning::Plain {
                return Ok(tok);
            }
            if self.names.disabled(tok.sym) {
                tok.flags |= NO_EXPAND;
                return Ok(tok);
            }
            if self.prevent_expansion > 0 {
                return Ok(tok);
            }
            let from_file = self.from_file;
            if !self.enter(tok)? {
                self.from_file = from_file;
                return Ok(tok);
            }
            if !self.in_directive {
                return Ok(Tok::padding_for(tok));
            }
        }
    }

    /// The next token that is no padding.
    pub fn get_solid(&mut self) -> Result<Tok, Trouble> {
        loop {
            let tok = self.get()?;
            if tok.kind != Kind::Padding {
                return Ok(tok);
            }
        }
    }

    /// Pops a context; its macro can be used again. False if there is none.
    pub fn leave_context(&mut self) -> bool {
        let Some(context) = self.contexts.pop() else { return false };
        if let Some(name) = context.of {
            self.names.set_disabled(name, false);
        }
        true
    }

    /// Unreads the last token.
    pub fn put_back(&mut self, tok: Tok) {
        if self.from_file {
            self.lookahead = Some(tok);
        } else if let Some(context) = self.contexts.last_mut() {
            context.at -= 1;
        }
    }

    /// The next token of the file. Directives met on the way are carried out.
    #[inline(never)]
    fn file_token(&mut self) -> Result<Tok, Trouble> {
        loop {
            let mut tok = match self.lookahead.take() {
                Some(tok) => tok,
                None => self.lexer.next(&mut self.names, self.dialect, self.in_directive)?,
            };
            if self.in_directive {
                return Ok(tok);
            }
            if tok.kind == Kind::Eof {
                // The arguments of a call do not go on behind the end of a file.
                if self.parsing_args > 0 || !self.leave_file()? {
                    return Ok(tok);
                }
                continue;
            }
            let dirty = std::mem::replace(&mut self.dirty, true);
            if tok.has(BOL) {
                if tok.kind.is_hash() && self.parsing_args != 1 {
                    self.dirty = dirty;
                    self.directive()?;
                    continue;
                }
                match self.parsing_args {
                    0 => self.change_line(tok.line, tok.column),
                    1 => {}
                    _ => tok.flags |= WHITE,
                }
            }
            return Ok(tok);
        }
    }

    /// Pushes tokens of the arena.
    pub fn push_arena(&mut self, from: usize, of: Option<Symbol>) -> Result<(), Trouble> {
        let (at, end) = (from as u32, self.arena.len() as u32);
        self.spend(self.arena.len() - from)?;
        self.contexts.push(Context { pool: Pool::Arena, at, end, of, line: 0 });
        Ok(())
    }

    /// Pushes one token.
    pub fn push_one(&mut self, tok: Tok) -> Result<(), Trouble> {
        let from = self.arena.len();
        self.arena.push(tok);
        self.push_arena(from, None)
    }

    /// Pushes the tokens `from..end` of the arena, an argument; its end is marked by an end of file.
    pub fn push_range(&mut self, from: u32, end: u32) {
        self.contexts.push(Context { pool: Pool::Arena, at: from, end, of: None, line: 0 });
    }

    /// Pops the context of an argument.
    pub fn pop_range(&mut self) {
        self.contexts.pop();
    }

    /// The next token of the topmost context, as it is.
    pub fn next_in_context(&mut self) -> Option<Tok> {
        let context = self.contexts.last_mut().filter(|context| context.at < context.end)?;
        let at = context.at as usize;
        context.at += 1;
        Some(match context.pool {
            Pool::Bodies => Tok { line: context.line, ..self.bodies[at] },
            Pool::Arena => self.arena[at],
        })
    }

    /// Begins the expansion of a macro. False if it is function-like and no parenthesis follows.
    #[inline(never)]
    fn enter(&mut self, tok: Tok) -> Result<bool, Trouble> {
        if self.contexts.is_empty() {
            self.invocation = (tok.line, tok.column);
        }
        match self.names.meaning(tok.sym) {
            Meaning::Plain => Ok(false),
            Meaning::Poisoned => {
                let name = self.names.show(tok.sym);
                Err(self.reject_at(tok, format!("attempt to use poisoned `{name}`")))
            }
            Meaning::Builtin(builtin) => self.enter_builtin(tok, builtin),
            Meaning::Macro(index) => {
                if !self.macros[index as usize].function {
                    let (from, end) = self.macros[index as usize].body;
                    self.spend((end - from) as usize)?;
                    self.names.set_disabled(tok.sym, true);
                    let context =
                        Context { pool: Pool::Bodies, at: from, end, of: Some(tok.sym), line: tok.line };
                    self.contexts.push(context);
                    return Ok(true);
                }
                self.calls += 1;
                let called = self.call(tok, index)?;
                self.calls -= 1;
                Ok(called)
            }
        }
    }

    /// A use of a function-like macro.
    #[inline(never)]
    fn call(&mut self, tok: Tok, index: u32) -> Result<bool, Trouble> {
        let base = self.args.len();
        self.prevent_expansion += 1;
        self.parsing_args = 1;
        let found = self.find_arguments(tok, index)?;
        self.parsing_args = 0;
        self.prevent_expansion -= 1;
        if !found {
            self.args.truncate(base);
            return Ok(false);
        }
        // The line for `__LINE__` in the replacement: gcc counts where a call begins, clang where it ends.
        let line = if self.compiler.is_clang() { self.call_end } else { tok.line };
        if self.macros[index as usize].params == 0 {
            let (from, end) = self.macros[index as usize].body;
            self.spend((end - from) as usize)?;
            self.contexts.push(Context { pool: Pool::Bodies, at: from, end, of: Some(tok.sym), line });
        } else {
            let from = self.replace(tok, index, base, line)?;
            self.push_arena(from, Some(tok.sym))?;
        }
        self.names.set_disabled(tok.sym, true);
        self.args.truncate(base);
        Ok(true)
    }

    /// Looks for the opening parenthesis and reads the arguments.
    #[inline(never)]
    fn find_arguments(&mut self, name: Tok, index: u32) -> Result<bool, Trouble> {
        let mut padding: Option<Tok> = None;
        let tok = loop {
            let tok = self.get()?;
            if tok.kind != Kind::Padding {
                break tok;
            }
            // The same choice as before a printed token: see `Gap`.
            let source = crate::token::HAS_SOURCE;
            let weak = |p: Tok| !p.has(source) || !p.has(WHITE) && !tok.has(source);
            if padding.is_none_or(weak) {
                padding = Some(tok);
            }
        };
        if tok.kind == Kind::LParen {
            self.parsing_args = 2;
            self.collect(name, index)?;
            return Ok(true);
        }
        if tok.kind != Kind::Eof || !self.from_file {
            self.put_back(tok);
            if let Some(padding) = padding {
                let from = self.arena.len();
                self.arena.push(padding);
                self.push_range(from as u32, from as u32 + 1);
            }
        }
        Ok(false)
    }
}
