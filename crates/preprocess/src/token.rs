//! Preprocessing tokens (C11 6.4): small values whose spelling is interned, and which of them would paste.

use crate::names::{Names, Symbol};

/// White space or a comment stood before the token.
pub(crate) const WHITE: u8 = 1;
/// The first token of its line.
pub(crate) const BOL: u8 = 2;
/// In a replacement list: `##` follows.
pub(crate) const PASTE_LEFT: u8 = 4;
/// In a replacement list: `#` stands before this parameter.
pub(crate) const STRINGIFY: u8 = 8;
/// The name of a macro that met itself: never expanded again.
pub(crate) const NO_EXPAND: u8 = 16;
/// Padding that speaks for a token: [`WHITE`] says whether white space stood before that token.
pub(crate) const HAS_SOURCE: u8 = 32;

/// A preprocessing token.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C, align(8))]
pub(crate) struct Tok {
    /// The spelling of everything but punctuators and padding.
    pub sym: Symbol,
    pub line: u32,
    pub column: u32,
    /// The parameter's index, for [`Kind::Parameter`].
    pub arg: u16,
    pub kind: Kind,
    pub flags: u8,
}

macro_rules! kinds {
    ($($name:ident $text:literal)*) => {
        /// What a token is.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Kind {
            /// The end of the text, of a directive or of an argument.
            Eof,
            /// Where macro expansion began or ended: decides about white space only.
            Padding,
            Name,
            Number,
            Char,
            Str,
            /// A byte that is no token, or an unterminated literal.
            Other,
            /// A parameter in a replacement list.
            Parameter,
            /// A raw string over several lines: none of these become tokens.
            Raw,
            /// What `_Pragma` became; its symbol is the text of the pragma.
            Pragma,
            $($name,)*
        }

        impl Kind {
            /// How a punctuator is written; nothing for other tokens.
            pub fn text(self) -> &'static [u8] {
                match self {
                    Kind::Eof | Kind::Padding | Kind::Name | Kind::Number | Kind::Char | Kind::Str => b"",
                    Kind::Other | Kind::Parameter | Kind::Raw | Kind::Pragma => b"",
                    $(Kind::$name => $text,)*
                }
            }
        }
    };
}

kinds! {
    Assign b"=" Not b"!" Greater b">" Less b"<" Plus b"+" Minus b"-" Star b"*" Slash b"/" Percent b"%"
    And b"&" Or b"|" Xor b"^" Shr b">>" Shl b"<<"
    Tilde b"~" AndAnd b"&&" OrOr b"||" Question b"?" Colon b":" Comma b"," LParen b"(" RParen b")"
    EqEq b"==" NotEq b"!=" GreaterEq b">=" LessEq b"<="
    PlusEq b"+=" MinusEq b"-=" StarEq b"*=" SlashEq b"/=" PercentEq b"%=" AndEq b"&=" OrEq b"|=" XorEq b"^="
    ShrEq b">>=" ShlEq b"<<="
    Hash b"#" HashHash b"##" DigraphHash b"%:" DigraphHashHash b"%:%:"
    LBracket b"[" RBracket b"]" LBrace b"{" RBrace b"}"
    DigraphLBracket b"<:" DigraphRBracket b":>" DigraphLBrace b"<%" DigraphRBrace b"%>"
    Semi b";" Ellipsis b"..." PlusPlus b"++" MinusMinus b"--" Arrow b"->" Dot b"."
}

impl Kind {
    /// `#`, however it is written.
    pub fn is_hash(self) -> bool {
        matches!(self, Kind::Hash | Kind::DigraphHash)
    }

    /// `##`, however it is written.
    pub fn is_paste(self) -> bool {
        matches!(self, Kind::HashHash | Kind::DigraphHashHash)
    }
}

impl Tok {
    /// A token at a place.
    pub fn new(kind: Kind, flags: u8, sym: Symbol, line: u32, column: u32) -> Tok {
        Tok { kind, flags, arg: 0, sym, line, column }
    }

    /// Padding that speaks for no token.
    pub fn padding() -> Tok {
        Tok::new(Kind::Padding, 0, Symbol::EMPTY, 0, 0)
    }

    /// Padding that speaks for `source`.
    pub fn padding_for(source: Tok) -> Tok {
        Tok { flags: HAS_SOURCE | (source.flags & WHITE), ..Tok::padding() }
    }

    /// The end of an argument or directive.
    pub fn eof() -> Tok {
        Tok { kind: Kind::Eof, ..Tok::padding() }
    }

    /// Has it all of these flags?
    pub fn has(self, flags: u8) -> bool {
        self.flags & flags == flags
    }

    /// How it is written.
    pub fn spelling(self, names: &Names) -> &[u8] {
        match self.kind {
            Kind::Name | Kind::Number | Kind::Char | Kind::Str | Kind::Other => names.text(self.sym),
            Kind::Eof | Kind::Padding | Kind::Parameter | Kind::Raw | Kind::Pragma => b"",
            punctuator => punctuator.text(),
        }
    }
}

/// What padding says about white space before the next token: the source it spoke for, if any.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Gap {
    source: Option<bool>,
    /// There was padding since the last token.
    pub seen: bool,
}

impl Gap {
    /// Takes notice of a padding token: the first source counts, unless it had no white space and padding without
    /// a source follows.
    pub fn pad(&mut self, padding: Tok) {
        self.seen = true;
        let source = padding.has(HAS_SOURCE).then_some(padding.has(WHITE));
        match (self.source, source) {
            (None, source) => self.source = source,
            (Some(false), None) => self.source = None,
            (Some(_), _) => {}
        }
    }

    /// The same without what was said about white space: a new line begins.
    pub fn at_new_line(self) -> Gap {
        Gap { source: None, seen: self.seen }
    }

    /// Does white space belong before `token`?
    pub fn white(self, token: Tok) -> bool {
        self.source.unwrap_or(token.has(WHITE))
    }
}

/// Would `left` directly followed by `right` be read as other tokens?
pub(crate) fn would_paste(left: Tok, right: Tok, names: &Names) -> bool {
    let first = right.kind.text().first().copied().unwrap_or(0);
    if (Kind::Assign as u8..=Kind::Shl as u8).contains(&(left.kind as u8)) && first == b'=' {
        return true;
    }
    let digraph_or = |one: u8| first == one || first == b'%';
    match left.kind {
        Kind::Greater => first == b'>',
        Kind::Less => matches!(first, b'<' | b'%' | b':'),
        Kind::Plus => first == b'+',
        Kind::Minus => matches!(first, b'-' | b'>'),
        Kind::Slash => matches!(first, b'/' | b'*'),
        Kind::Percent => matches!(first, b':' | b'%'),
        Kind::And => first == b'&',
        Kind::Or => first == b'|',
        Kind::Colon => matches!(first, b':' | b'>'),
        Kind::Dot => digraph_or(b'.') || right.kind == Kind::Number,
        Kind::Hash | Kind::DigraphHash => digraph_or(b'#'),
        Kind::Arrow => first == b'*',
        Kind::Name => match right.kind {
            Kind::Name | Kind::Char | Kind::Str => true,
            Kind::Number => names.text(right.sym).first() != Some(&b'.'),
            _ => false,
        },
        Kind::Number => {
            matches!(right.kind, Kind::Number | Kind::Name | Kind::Char)
                || matches!(first, b'.' | b'+' | b'-')
        }
        Kind::Other => names.text(left.sym).first() == Some(&b'\\') && right.kind == Kind::Name,
        _ => false,
    }
}
