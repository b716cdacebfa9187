//! `#include`, `#include_next`, `#import` and `__has_include` (C11 6.10.2): which file, and what is known of it.

use crate::directive::{Entering, Guard};
use crate::error::Trouble;
use crate::lex::Lexer;
use crate::names::{Meaning, Symbol};
use crate::source::Source;
use crate::state::Run;
use crate::token::{Kind, Tok, WHITE};
use std::sync::Arc;

/// How a file was found.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// By its own name or beside the file that includes it.
    Here,
    /// In the directory with this index.
    Dir(usize),
}

/// A file being read.
pub(crate) struct File {
    /// Its name in markers and messages.
    pub name: Vec<u8>,
    /// The path it was read from.
    pub path: Vec<u8>,
    pub place: Place,
    /// It is a system header.
    pub system: bool,
    /// What `#line` adds to line numbers.
    pub line_shift: i64,
    /// The reader of the file that included it, and whether that was dirty.
    includer: Option<(Lexer, bool)>,
    /// How many conditionals were open when it began.
    pub conditionals: usize,
    pub guard: Guard,
}

impl File {
    /// A file about to be read.
    pub fn new(path: Vec<u8>, place: Place) -> File {
        File {
            name: path.clone(),
            path,
            place,
            system: false,
            line_shift: 0,
            includer: None,
            conditionals: 0,
            guard: Guard::Start,
        }
    }

    /// Its name for messages.
    pub fn shown_name(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

/// What is known of a file that was read before.
pub(crate) struct Known {
    source: Arc<Source>,
    /// The file is empty where this macro is defined.
    guard: Option<Symbol>,
}

struct Header {
    name: Vec<u8>,
    quoted: bool,
    /// Where it stands.
    at: (u32, u32),
}

struct Found {
    path: Vec<u8>,
    place: Place,
    system: bool,
    source: Arc<Source>,
}

/// Headers of C23 that compilers before it lack: taken where no directory has them.
const NEWER: &[&[u8]] = &[b"stdckdint.h"];

/// Headers that belong to compilers, for machines without one: the directory `<plumb>`.
const HEADERS: &[(&str, &[u8])] = &[
    ("float.h", include_bytes!("headers/float.h")),
    ("iso646.h", include_bytes!("headers/iso646.h")),
    ("limits.h", include_bytes!("headers/limits.h")),
    ("stdalign.h", include_bytes!("headers/stdalign.h")),
    ("stdarg.h", include_bytes!("headers/stdarg.h")),
    ("stdbool.h", include_bytes!("headers/stdbool.h")),
    ("stdckdint.h", include_bytes!("headers/stdckdint.h")),
    ("stddef.h", include_bytes!("headers/stddef.h")),
    ("stdnoreturn.h", include_bytes!("headers/stdnoreturn.h")),
];

impl Run<'_> {
    /// `#include` and its kin: the file to enter, unless it is known to be empty by now.
    pub fn include(&mut self, line: u32, next: bool, import: bool) -> Result<Option<Entering>, Trouble> {
        let Some(header) = self.header_name()? else {
            return Err(self.reject("#include expects \"FILENAME\" or <FILENAME>"));
        };
        self.enter_header(&header, Some(line), next, import)
    }

    /// A file of `-include`.
    pub fn include_forced(&mut self, name: &[u8]) -> Result<(), Trouble> {
        let header = Header { name: name.to_vec(), quoted: true, at: (0, 0) };
        match self.enter_header(&header, None, false, false)? {
            Some(Entering { file, source }) => self.enter_file(file, source),
            None => Ok(()),
        }
    }

    fn enter_header(
        &mut self,
        header: &Header,
        line: Option<u32>,
        next: bool,
        import: bool,
    ) -> Result<Option<Entering>, Trouble> {
        let Some(found) = self.find(header, next)? else {
            let name = String::from_utf8_lossy(&header.name).into_owned();
            return Err(Trouble::rejected(
                header.at.0,
                header.at.1,
                format!("{name}: No such file or directory"),
            ));
        };
        if let Some(guard) = self.known.get(&found.path).and_then(|known| known.guard)
            && self.names.meaning(guard) != Meaning::Plain
        {
            return Ok(None);
        }
        if self.once.contains(&found.source) {
            return Ok(None);
        }
        if import {
            self.once.push(Arc::clone(&found.source));
        }
        let limits = &self.options.limits;
        if self.files.len() >= limits.depth {
            return Err(self.limit(format!("#include nested too deeply: {} files", limits.depth)));
        }
        self.includes += 1;
        self.bytes += found.source.len() as u64;
        if self.includes > limits.includes || self.bytes > limits.bytes {
            return Err(self.limit("too many files are included"));
        }
        if let Some(line) = line {
            self.go_to_line(line);
        }
        let system = found.system || self.files.last().is_some_and(|file| file.system);
        let file = File { system, ..File::new(found.path, found.place) };
        Ok(Some(Entering { file, source: found.source }))
    }

    /// Goes on with the first line of a file.
    pub fn enter_file(&mut self, mut file: File, source: Arc<Source>) -> Result<(), Trouble> {
        let includer = std::mem::replace(&mut self.lexer, Lexer::new(source));
        file.includer = Some((includer, self.dirty));
        file.conditionals = self.conditionals.len();
        self.dirty = false;
        self.files.push(file);
        self.mark(1, " 1");
        Ok(())
    }

    /// Goes back to the file that included this one; false if none did.
    pub fn leave_file(&mut self) -> Result<bool, Trouble> {
        self.all_closed()?;
        let Some(file) = self.files.last_mut() else { return Ok(false) };
        let Some((includer, dirty)) = file.includer.take() else { return Ok(false) };
        let guard = match file.guard {
            Guard::Behind(guard) if !self.dirty => Some(guard),
            Guard::Start | Guard::Inside | Guard::Behind(_) | Guard::No => None,
        };
        if let Some(known) = self.known.get_mut(&file.path) {
            known.guard = guard;
        }
        self.files.pop();
        self.lexer = includer;
        self.dirty = dirty;
        self.mark(self.lexer.line, " 2");
        Ok(true)
    }

    /// The name in `<...>` or `"..."`, spelled or from macros.
    fn header_name(&mut self) -> Result<Option<Header>, Trouble> {
        self.lexer.skip_blanks(self.dialect)?;
        let at = (self.lexer.line, self.lexer.column());
        if self.contexts.is_empty() && self.lookahead.is_none() {
            let text = &self.lexer.source.text[self.lexer.at..];
            let close = match text[0] {
                b'<' => b'>',
                b'"' => b'"',
                _ => 0,
            };
            if close != 0 {
                let end = text[1..].iter().position(|b| *b == close || *b == b'\n').unwrap_or(0);
                if text[1 + end] != close {
                    return Err(self.reject(format!("missing terminating {} character", char::from(close))));
                }
                let name = text[1..1 + end].to_vec();
                self.lexer.at += end + 2;
                return self.header(name, close == b'"', at);
            }
        }
        let tok = self.get_solid()?;
        match tok.kind {
            Kind::Str if self.names.text(tok.sym)[0] == b'"' => {
                let text = self.names.text(tok.sym);
                let name = text[1..text.len() - 1].to_vec();
                self.header(name, true, at)
            }
            Kind::Less => {
                let mut name = Vec::new();
                loop {
                    let tok = self.get_solid()?;
                    if tok.kind == Kind::Greater {
                        return self.header(name, false, at);
                    }
                    if tok.kind == Kind::Eof || name.len() > 1 << 16 {
                        return Err(self.reject("missing terminating > character"));
                    }
                    if tok.flags & WHITE != 0 && !name.is_empty() {
                        name.push(b' ');
                    }
                    name.extend_from_slice(tok.spelling(&self.names));
                }
            }
            _ => Ok(None),
        }
    }

    fn header(&self, name: Vec<u8>, quoted: bool, at: (u32, u32)) -> Result<Option<Header>, Trouble> {
        if name.is_empty() {
            return Err(self.reject("empty filename in #include"));
        }
        Ok(Some(Header { name, quoted, at }))
    }

    /// `__has_include (...)`, its name read.
    pub fn has_include(&mut self, tok: Tok, next: bool) -> Result<bool, Trouble> {
        let open = self.get_solid()?;
        let header = if open.kind == Kind::LParen { self.header_name()? } else { None };
        let Some(header) = header else {
            return Err(self.reject_at(tok, "`__has_include` needs (\"FILENAME\") or (<FILENAME>)"));
        };
        if self.get_solid()?.kind != Kind::RParen {
            return Err(self.reject_at(tok, "missing `)` after the operand of `__has_include`"));
        }
        Ok(self.find(&header, next)?.is_some())
    }

    /// Where a header is looked for: the directories of `-I` stand before those of the compiler's `<...>` list.
    fn find(&mut self, header: &Header, next: bool) -> Result<Option<Found>, Trouble> {
        let name = &header.name;
        if name[0] == b'/' {
            let source = self.read(name)?;
            return Ok(source.map(|source| Found {
                path: name.clone(),
                place: Place::Here,
                system: false,
                source,
            }));
        }
        let quote_dirs = self.compiler.quote.len();
        let mut start = if header.quoted { 0 } else { quote_dirs };
        let current = self.files.last();
        let next = next && self.files.len() > 1;
        if next {
            start = match current.map(|file| file.place) {
                Some(Place::Dir(index)) => index + 1,
                Some(Place::Here) | None => start,
            };
        } else if header.quoted {
            let dir = current.map(|file| file.path.as_slice()).unwrap_or_default();
            let length = dir.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
            let path = [&dir[..length], name].concat();
            if let Some(source) = self.read(&path)? {
                return Ok(Some(Found { path, place: Place::Here, system: false, source }));
            }
        }
        // The same headers are looked for again and again, in directories that do not have them.
        if let Some(&(place, ref path)) = self.found.get(&(name.clone(), start)) {
            let (path, system) = (path.clone(), self.dir(place).1);
            let source = self.read(&path)?;
            return Ok(source.map(|source| Found { path, place: Place::Dir(place), system, source }));
        }
        for index in start..self.dir_count() {
            let (dir, system) = self.dir(index);
            let slash: &[u8] = if dir.ends_with(b"/") { b"" } else { b"/" };
            let path = [dir, slash, name].concat();
            if let Some(source) = self.read(&path)? {
                self.found.insert((name.clone(), start), (index, path.clone()));
                return Ok(Some(Found { path, place: Place::Dir(index), system, source }));
            }
        }
        if !next && NEWER.contains(&name.as_slice()) {
            let path = [b"<plumb>/", name.as_slice()].concat();
            let source = self.read(&path)?;
            return Ok(source.map(|source| Found { path, place: Place::Here, system: true, source }));
        }
        Ok(None)
    }

    fn dir_count(&self) -> usize {
        self.compiler.quote.len() + self.include.len() + self.compiler.bracket.len()
    }

    fn dir(&self, index: usize) -> (&[u8], bool) {
        let quote = &self.compiler.quote;
        let include = &self.include;
        if let Some(dir) = quote.get(index) {
            return (&dir.path, dir.system);
        }
        let index = index - quote.len();
        match include.get(index) {
            Some(dir) => (dir.as_bytes(), false),
            None => {
                let dir = &self.compiler.bracket[index - include.len()];
                (&dir.path, dir.system)
            }
        }
    }

    fn read(&mut self, path: &[u8]) -> Result<Option<Arc<Source>>, Trouble> {
        if let Some(known) = self.known.get(path) {
            return Ok(Some(Arc::clone(&known.source)));
        }
        if let Some(name) = path.strip_prefix(b"<plumb>/") {
            let own = HEADERS.iter().find(|header| header.0.as_bytes() == name);
            return Ok(own.map(|header| Arc::new(Source::new(header.1.to_vec(), false))));
        }
        let read = self.host.read(path, self.compiler.trigraphs());
        let read = read.map_err(|why| self.reject(format!("{}: {why}", String::from_utf8_lossy(path))))?;
        if let Some(source) = &read {
            if source.len() >= crate::source::LARGEST {
                return Err(self.limit("an included file is too large"));
            }
            let known = Known { source: Arc::clone(source), guard: None };
            self.known.insert(path.to_vec(), known);
        }
        Ok(read)
    }

    /// `#pragma once`
    pub fn only_once(&mut self) {
        self.once.push(Arc::clone(&self.lexer.source));
    }
}
