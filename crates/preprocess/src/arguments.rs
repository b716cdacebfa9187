//! Arguments of function-like macros (C11 6.10.3p10-12, 6.10.3.1) and how they replace parameters, with GNU's comma
//! deletion and `__VA_OPT__`.

use crate::error::Trouble;
use crate::names::Meaning;
use crate::state::Run;
use crate::token::{Kind, PASTE_LEFT, STRINGIFY, Tok};

/// Calls nested in arguments of calls.
const DEEPEST: u32 = 5_000;

/// An argument: tokens in the arena, with an end of file behind them.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Arg {
    from: u32,
    to: u32,
    /// The same, all macros in it expanded.
    expanded: Option<(u32, u32)>,
    stringified: Option<Tok>,
    /// A variable argument that is not there at all: the comma before it goes too.
    omitted: bool,
}

impl Arg {
    fn is_empty(self) -> bool {
        self.from == self.to
    }
}

impl Run<'_> {
    /// Reads the arguments of a call, the opening parenthesis being read, and puts them on `self.args`.
    #[inline(never)]
    pub fn collect(&mut self, name: Tok, index: u32) -> Result<(), Trouble> {
        let (params, variadic) = {
            let called = &self.macros[index as usize];
            (called.params as usize, called.variadic)
        };
        let base = self.args.len();
        let mut buffer = self.buffer();
        let mut count = 0;
        loop {
            count += 1;
            let start = buffer.len();
            let last = self.collect_one(&mut buffer, variadic && count == params)?;
            while buffer.len() > start && buffer[buffer.len() - 1].kind == Kind::Padding {
                buffer.pop();
            }
            let to = buffer.len() as u32;
            if count <= params {
                let from = start as u32;
                self.args.push(Arg { from, to, expanded: None, stringified: None, omitted: false });
                buffer.push(Tok::eof());
            } else if count > 1 || buffer.len() > start {
                buffer.truncate(start);
            } else {
                // `f()` of a macro without parameters.
                count = 0;
            }
            match last.kind {
                Kind::Comma => {}
                Kind::RParen => {
                    self.call_end = last.line;
                    break;
                }
                _ => {
                    let name = self.names.show(name.sym);
                    return Err(self.reject(format!("unterminated argument list invoking macro `{name}`")));
                }
            }
        }
        if count > params || count < params && !(variadic && count + 1 == params) {
            return Err(self.wrong_count(name, params, count));
        }
        let shift = self.arena.len() as u32;
        if count < params {
            let at = buffer.len() as u32;
            self.args.push(Arg { from: at, to: at, expanded: None, stringified: None, omitted: true });
            buffer.push(Tok::eof());
        } else if variadic && count == 1 && self.args[base].is_empty() && !self.compiler.strict() {
            self.args[base].omitted = true;
        }
        for arg in &mut self.args[base..] {
            arg.from += shift;
            arg.to += shift;
        }
        self.spend(buffer.len())?;
        self.arena.extend_from_slice(&buffer);
        self.give_back(buffer);
        Ok(())
    }

    /// Reads one argument; returns the token that ended it.
    fn collect_one(&mut self, buffer: &mut Vec<Tok>, rest: bool) -> Result<Tok, Trouble> {
        let start = buffer.len();
        let mut parentheses = 0u64;
        loop {
            let tok = self.get()?;
            match tok.kind {
                Kind::Padding if buffer.len() == start => continue,
                Kind::LParen => parentheses += 1,
                Kind::RParen if parentheses == 0 => return Ok(tok),
                Kind::RParen => parentheses -= 1,
                Kind::Comma if parentheses == 0 && !rest => return Ok(tok),
                Kind::Eof => {
                    if !self.from_file {
                        self.put_back(tok);
                    }
                    return Ok(tok);
                }
                _ => {}
            }
            if buffer.len() >= self.options.limits.held {
                return Err(self.limit("the arguments of a macro are too long"));
            }
            buffer.push(tok);
        }
    }

    fn wrong_count(&self, name: Tok, params: usize, count: usize) -> Trouble {
        let shown = self.names.show(name.sym);
        let message = if count > params {
            format!("macro `{shown}` passed {count} arguments, but takes just {params}")
        } else {
            format!("macro `{shown}` requires {params} arguments, but only {count} given")
        };
        self.reject(message)
    }

    /// Expands an argument as if it were the rest of the file.
    fn expand(&mut self, arg: usize) -> Result<(u32, u32), Trouble> {
        if let Some(done) = self.args[arg].expanded {
            return Ok(done);
        }
        let Arg { from, to, .. } = self.args[arg];
        let tokens = &self.arena[from as usize..to as usize];
        let names = &self.names;
        let done =
            if tokens.iter().all(|tok| tok.kind != Kind::Name || names.meaning(tok.sym) == Meaning::Plain) {
                (from, to)
            } else {
                if self.depth >= DEEPEST {
                    return Err(self.limit("macro calls are nested too deeply"));
                }
                self.depth += 1;
                let buffer = stacker::maybe_grow(128 << 10, 1 << 20, || self.expand_range(from, to))?;
                self.depth -= 1;
                let from = self.arena.len() as u32;
                self.spend(buffer.len())?;
                self.arena.extend_from_slice(&buffer);
                self.give_back(buffer);
                (from, self.arena.len() as u32)
            };
        self.args[arg].expanded = Some(done);
        Ok(done)
    }

    fn expand_range(&mut self, from: u32, to: u32) -> Result<Vec<Tok>, Trouble> {
        let mut buffer = self.buffer();
        self.push_range(from, to + 1);
        loop {
            let tok = self.get()?;
            if tok.kind == Kind::Eof {
                break;
            }
            if buffer.len() >= self.options.limits.held {
                return Err(self.limit("the arguments of a macro are too long"));
            }
            buffer.push(tok);
        }
        self.pop_range();
        Ok(buffer)
    }

    /// Makes the replacement of a call whose arguments begin at `base`; returns where in the arena it starts.
    #[inline(never)]
    pub fn replace(&mut self, name: Tok, index: u32, base: usize, line: u32) -> Result<usize, Trouble> {
        let (from, to) = self.macros[index as usize].body;
        let (variadic, params) = {
            let called = &self.macros[index as usize];
            (called.variadic, called.params as usize)
        };
        let mut optional = Optional::new(self.macros[index as usize].optional);
        let mut out = self.buffer();
        let mut left = 0;
        for at in from..to {
            let tok = Tok { line, ..self.bodies[at as usize] };
            let after_paste = at > from && left & PASTE_LEFT != 0;
            left = tok.flags;
            if optional.on {
                match optional.step(tok, self.words.va_opt) {
                    Step::Take => {}
                    Step::Begin => {
                        if at > from && !after_paste && tok.flags & STRINGIFY == 0 {
                            out.push(Tok::padding_for(tok));
                        }
                        let (from, to) = self.expand(base + params - 1)?;
                        let arena = &self.arena[from as usize..to as usize];
                        optional.wanted = arena.iter().any(|tok| tok.kind != Kind::Padding);
                        optional.start = out.len();
                        continue;
                    }
                    Step::End => {
                        self.end_optional(&mut out, &optional, tok)?;
                        continue;
                    }
                    Step::Drop => continue,
                }
            }
            if tok.kind != Kind::Parameter {
                out.push(tok);
                continue;
            }
            let number = base + usize::from(tok.arg);
            let arg = self.args[number];
            let mut paste_at = None;
            let (first, last);
            if tok.flags & STRINGIFY != 0 {
                let text = match arg.stringified {
                    Some(text) => text,
                    None => {
                        let text = self.stringify(arg.from, arg.to, name)?;
                        self.args[number].stringified = Some(text);
                        text
                    }
                };
                first = self.arena.len() as u32;
                last = first + 1;
                self.arena.push(text);
            } else if tok.flags & PASTE_LEFT != 0 || after_paste {
                (first, last) = (arg.from, arg.to);
                // A parameter between two `##` is the left operand first.
                let pasted = after_paste && tok.flags & PASTE_LEFT == 0;
                let comma = pasted && out.last().is_some_and(|tok| tok.kind == Kind::Comma);
                if comma && variadic && usize::from(tok.arg) + 1 == params {
                    if arg.omitted {
                        out.pop();
                    } else {
                        paste_at = out.len().checked_sub(1);
                    }
                } else if pasted && arg.is_empty() && !(optional.inside() && out.len() == optional.start) {
                    paste_at = out.len().checked_sub(1);
                }
            } else {
                (first, last) = self.expand(number)?;
            }
            let at_start = optional.inside() && out.len() == optional.start;
            if !self.in_directive && at > from && !after_paste && !at_start {
                out.push(Tok::padding_for(tok));
            }
            if last > first {
                if out.len() + (last - first) as usize > self.options.limits.held {
                    return Err(self.limit("the replacement of a macro is too long"));
                }
                out.extend_from_slice(&self.arena[first as usize..last as usize]);
                if tok.flags & PASTE_LEFT != 0 {
                    paste_at = Some(out.len() - 1);
                }
            }
            let at_start = optional.inside() && out.len() == optional.start;
            if !self.in_directive && tok.flags & PASTE_LEFT == 0 && !at_start {
                out.push(Tok::padding());
            }
            if let Some(at) = paste_at {
                copy_paste_flag(&mut out[at], tok);
            }
        }
        let start = self.arena.len();
        self.spend(out.len())?;
        self.arena.extend_from_slice(&out);
        self.give_back(out);
        Ok(start)
    }

    /// The closing parenthesis of `__VA_OPT__`.
    fn end_optional(&mut self, out: &mut Vec<Tok>, optional: &Optional, tok: Tok) -> Result<(), Trouble> {
        while out.len() > optional.start && out[out.len() - 1].kind == Kind::Padding {
            out.pop();
        }
        let empty = out.len() == optional.start;
        if optional.stringify {
            let content = out.split_off(optional.start);
            let from = self.arena.len() as u32;
            for (at, tok) in content.iter().enumerate() {
                match self.arena.last_mut() {
                    Some(left) if at > 0 && left.flags & PASTE_LEFT != 0 && tok.kind != Kind::Padding => {
                        let left = *left;
                        let pasted = self.paste(left, *tok)?;
                        self.arena.pop();
                        self.arena.push(Tok { flags: pasted.flags | tok.flags & PASTE_LEFT, ..pasted });
                    }
                    _ => self.arena.push(*tok),
                }
            }
            let to = self.arena.len() as u32;
            let text = self.stringify(from, to, tok)?;
            out.push(Tok { flags: text.flags | tok.flags & PASTE_LEFT, ..text });
        } else if tok.flags & PASTE_LEFT != 0 {
            if let Some(last) = out.last_mut().filter(|_| !empty) {
                copy_paste_flag(last, tok);
            }
        } else {
            if empty && let Some(last) = out.last_mut() {
                last.flags &= !PASTE_LEFT;
            }
            out.push(Tok::padding());
        }
        Ok(())
    }
}

/// Gives a token the paste flag of the parameter that it stands for.
fn copy_paste_flag(tok: &mut Tok, of: Tok) {
    tok.flags = tok.flags & !PASTE_LEFT | of.flags & PASTE_LEFT;
}

/// Where in `__VA_OPT__ ( ... )` a replacement list is.
struct Optional {
    /// The list has it at all.
    on: bool,
    /// 0 outside, 1 behind the name, then 1 + open parentheses.
    state: u32,
    /// There are variable arguments.
    wanted: bool,
    stringify: bool,
    /// Where in the replacement its content begins.
    start: usize,
}

enum Step {
    Take,
    Drop,
    Begin,
    End,
}

impl Optional {
    fn new(on: bool) -> Optional {
        Optional { on, state: 0, wanted: false, stringify: false, start: 0 }
    }

    fn inside(&self) -> bool {
        self.state > 0
    }

    fn step(&mut self, tok: Tok, name: crate::names::Symbol) -> Step {
        if self.state == 0 {
            if tok.kind != Kind::Name || tok.sym != name {
                return Step::Take;
            }
            self.state = 1;
            self.stringify = tok.flags & STRINGIFY != 0;
            return Step::Begin;
        }
        if self.state == 1 {
            // The opening parenthesis; that it is there was seen when the macro was defined.
            self.state = 2;
            return Step::Drop;
        }
        match tok.kind {
            Kind::LParen => self.state += 1,
            Kind::RParen if self.state == 2 => {
                self.state = 0;
                return Step::End;
            }
            Kind::RParen => self.state -= 1,
            _ => {}
        }
        if self.wanted { Step::Take } else { Step::Drop }
    }
}
