//! `#define` and `#undef` (C11 6.10.3, 6.10.3.5).

use crate::error::Trouble;
use crate::names::{Meaning, Symbol};
use crate::state::Run;
use crate::token::{Kind, PASTE_LEFT, STRINGIFY, Tok, WHITE};

/// A macro.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    /// It takes arguments.
    pub function: bool,
    pub params: u16,
    /// The last parameter takes all further arguments.
    pub variadic: bool,
    /// `__VA_OPT__` is in the replacement list.
    pub optional: bool,
    /// The replacement list, in the pool of all of them.
    pub body: (u32, u32),
}

impl Run<'_> {
    /// Reads the name that a directive is about.
    pub fn macro_name(&mut self, directive: &str, defining: bool) -> Result<Tok, Trouble> {
        let tok = self.directive_token()?;
        match tok.kind {
            Kind::Eof => Err(self.reject(format!("no macro name given in #{directive} directive"))),
            Kind::Name if defining && tok.sym == self.words.defined => {
                Err(self.reject_at(tok, "`defined` cannot be used as a macro name"))
            }
            Kind::Name if self.names.meaning(tok.sym) == Meaning::Poisoned && defining => {
                let name = self.names.show(tok.sym);
                Err(self.reject_at(tok, format!("attempt to use poisoned `{name}`")))
            }
            Kind::Name => Ok(tok),
            _ => Err(self.reject_at(tok, "macro names must be identifiers")),
        }
    }

    /// `#define`
    pub fn define(&mut self) -> Result<(), Trouble> {
        let name = self.macro_name("define", true)?;
        let mut params: Vec<Symbol> = Vec::new();
        let mut variadic = false;
        let mut tok = self.directive_token()?;
        let function = tok.kind == Kind::LParen && !tok.has(WHITE);
        if function {
            variadic = self.parameters(&mut params)?;
            tok = self.directive_token()?;
        }
        let from = self.bodies.len();
        let read = self.body(tok, function, variadic, &params);
        if read.is_err() {
            self.bodies.truncate(from);
        }
        let optional = read?;
        if let Some(first) = self.bodies.get_mut(from) {
            first.flags &= !WHITE;
        }
        let body = (from as u32, self.bodies.len() as u32);
        if matches!(self.names.meaning(name.sym), Meaning::Builtin(_)) && self.is_operator(name.sym) {
            let shown = self.names.show(name.sym);
            return Err(self.reject_at(name, format!("`{shown}` cannot be used as a macro name")));
        }
        let made = Macro { function, params: params.len() as u16, variadic, optional, body };
        self.macros.push(made);
        self.names.set_meaning(name.sym, Meaning::Macro(self.macros.len() as u32 - 1));
        Ok(())
    }

    /// The parameters, behind the opening parenthesis. True if the last takes all further arguments.
    fn parameters(&mut self, params: &mut Vec<Symbol>) -> Result<bool, Trouble> {
        let bad = "expected parameter name, found something else in the parameter list of a macro";
        loop {
            let tok = self.directive_token()?;
            let mut variadic = false;
            match tok.kind {
                Kind::RParen if params.is_empty() => return Ok(false),
                Kind::Ellipsis => {
                    variadic = true;
                    params.push(self.words.va_args);
                }
                Kind::Name if tok.sym == self.words.va_args => {
                    return Err(self.reject_at(tok, "`__VA_ARGS__` cannot name a parameter"));
                }
                Kind::Name => {
                    if params.contains(&tok.sym) {
                        let name = self.names.show(tok.sym);
                        return Err(self.reject_at(tok, format!("duplicate macro parameter `{name}`")));
                    }
                    params.push(tok.sym);
                }
                _ => return Err(self.reject_at(tok, bad)),
            }
            if params.len() >= usize::from(u16::MAX) {
                return Err(self.limit("a macro has too many parameters"));
            }
            let tok = self.directive_token()?;
            match tok.kind {
                Kind::RParen => return Ok(variadic),
                Kind::Comma if !variadic => {}
                Kind::Ellipsis if !variadic => {
                    // GNU: `args...` names the variable arguments.
                    let tok = self.directive_token()?;
                    if tok.kind == Kind::RParen {
                        return Ok(true);
                    }
                    return Err(self.reject_at(tok, "expected `)` after `...`"));
                }
                _ => return Err(self.reject_at(tok, "expected `,` or `)` in the parameter list of a macro")),
            }
        }
    }

    /// The replacement list, whose first token is read. True if `__VA_OPT__` is in it.
    fn body(
        &mut self,
        first: Tok,
        function: bool,
        variadic: bool,
        params: &[Symbol],
    ) -> Result<bool, Trouble> {
        let from = self.bodies.len();
        let mut tok = first;
        let mut pasting = false;
        let mut optional = false;
        // What stands behind the `__VA_OPT__` being read: 0 nothing, 1 the name, then 1 + open parentheses.
        let mut inside = 0u32;
        while tok.kind != Kind::Eof {
            if variadic && tok.kind == Kind::Name && tok.sym == self.words.va_opt {
                if inside > 0 {
                    return Err(self.reject_at(tok, "`__VA_OPT__` may not appear in a `__VA_OPT__`"));
                }
                inside = 1;
                optional = true;
            } else if inside == 1 {
                if tok.kind != Kind::LParen {
                    return Err(self.reject_at(tok, "`__VA_OPT__` must be followed by an open parenthesis"));
                }
                inside = 2;
            } else if inside > 1 {
                match tok.kind {
                    Kind::LParen => inside += 1,
                    Kind::RParen => inside = if inside == 2 { 0 } else { inside - 1 },
                    _ => {}
                }
            }
            if tok.kind == Kind::Name
                && let Some(arg) = params.iter().position(|param| *param == tok.sym)
            {
                tok.kind = Kind::Parameter;
                tok.arg = arg as u16;
            }
            let before = self.bodies[from..].last().copied();
            if function && before.is_some_and(|before| before.kind.is_hash()) {
                let operand = tok.kind == Kind::Parameter || inside == 1;
                if !operand {
                    return Err(self.reject_at(tok, "`#` is not followed by a macro parameter"));
                }
                let white = before.map_or(0, |before| before.flags & WHITE);
                tok.flags = tok.flags & !WHITE | STRINGIFY | white;
                self.bodies.pop();
            }
            if tok.kind.is_paste() {
                match self.bodies[from..].last_mut() {
                    Some(left) => left.flags |= PASTE_LEFT,
                    None => {
                        return Err(
                            self.reject_at(tok, "`##` cannot appear at either end of a macro expansion")
                        );
                    }
                }
                pasting = true;
            } else {
                pasting = false;
                self.bodies.push(tok);
            }
            tok = self.directive_token()?;
        }
        let hash = self.bodies[from..].last().is_some_and(|last| last.kind.is_hash());
        if function && hash {
            return Err(self.reject("`#` is not followed by a macro parameter"));
        }
        if pasting {
            return Err(self.reject("`##` cannot appear at either end of a macro expansion"));
        }
        if inside > 0 {
            return Err(self.reject("unterminated `__VA_OPT__`"));
        }
        if self.bodies.len() > 1 << 28 {
            return Err(self.limit("the macros are too long"));
        }
        Ok(optional)
    }

    /// `#undef`
    pub fn undefine(&mut self) -> Result<(), Trouble> {
        let name = self.macro_name("undef", true)?;
        if matches!(self.names.meaning(name.sym), Meaning::Builtin(_)) && self.is_operator(name.sym) {
            let shown = self.names.show(name.sym);
            return Err(self.reject_at(name, format!("`{shown}` cannot be used as a macro name")));
        }
        self.names.set_meaning(name.sym, Meaning::Plain);
        Ok(())
    }
}
