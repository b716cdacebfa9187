//! Kinds of tokens, with the spellings of punctuators and keywords.

use crate::intern::Symbol;
use crate::source::Span;

/// One token: its kind, its bytes, and its name where it is an identifier or keyword.
#[derive(Copy, Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Tok,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
    /// The name of identifiers and keywords.
    pub sym: Symbol,
}

impl Token {
    /// Its byte range.
    pub fn span(self) -> Span {
        Span::new(self.lo, self.hi)
    }
}

macro_rules! tokens {
    (punctuators { $($punct:ident $text:literal)* } keywords { $($word:ident $($name:literal)+;)* }) => {
        /// Kinds of tokens.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        #[repr(u8)]
        pub enum Tok {
            Eof,
            Ident,
            Number,
            Char,
            Str,
            Pragma,
            $($punct,)*
            $($word,)*
        }

        impl Tok {
            /// How the token is written, for diagnostics; classes of tokens by name.
            pub fn spelling(self) -> &'static str {
                match self {
                    Tok::Eof => "end of file",
                    Tok::Ident => "identifier",
                    Tok::Number => "number",
                    Tok::Char => "character constant",
                    Tok::Str => "string literal",
                    Tok::Pragma => "#pragma",
                    $(Tok::$punct => $text,)*
                    $(Tok::$word => first(&[$($name),+]),)*
                }
            }
        }

        /// Every keyword spelling with its token, in the order the lexer interns them.
        pub const KEYWORDS: &[(&str, Tok)] = &[$($(($name, Tok::$word),)+)*];
    };
}

const fn first(names: &[&'static str]) -> &'static str {
    names[0]
}

tokens! {
    punctuators {
        LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
        Semi ";" Comma "," Dot "." Arrow "->" Ellipsis "..." Colon ":" Question "?"
        Inc "++" Dec "--" Tilde "~" Bang "!"
        Star "*" Slash "/" Percent "%" Plus "+" Minus "-" Shl "<<" Shr ">>"
        Lt "<" Gt ">" Le "<=" Ge ">=" EqEq "==" NotEq "!=" Amp "&" Caret "^" Pipe "|" AmpAmp "&&" PipePipe "||"
        Assign "=" StarAssign "*=" SlashAssign "/=" PercentAssign "%=" PlusAssign "+=" MinusAssign "-="
        ShlAssign "<<=" ShrAssign ">>=" AmpAssign "&=" CaretAssign "^=" PipeAssign "|="
        Hash "#" HashHash "##"
    }
    keywords {
        Auto "auto";
        Break "break";
        Case "case";
        KwChar "char";
        Const "const" "__const" "__const__";
        Continue "continue";
        Default "default";
        Do "do";
        Double "double";
        Else "else";
        Enum "enum";
        Extern "extern";
        Float "float";
        For "for";
        Goto "goto";
        If "if";
        Inline "inline" "__inline" "__inline__";
        Int "int";
        Long "long";
        Register "register";
        Restrict "restrict" "__restrict" "__restrict__";
        Return "return";
        Short "short";
        Signed "signed" "__signed" "__signed__";
        Sizeof "sizeof";
        Static "static";
        Struct "struct";
        Switch "switch";
        Typedef "typedef";
        Union "union";
        Unsigned "unsigned";
        Void "void";
        Volatile "volatile" "__volatile" "__volatile__";
        While "while";
        Alignas "_Alignas";
        Alignof "_Alignof" "__alignof" "__alignof__";
        Atomic "_Atomic";
        Bool "_Bool";
        Complex "_Complex" "__complex" "__complex__";
        Generic "_Generic";
        Noreturn "_Noreturn";
        StaticAssert "_Static_assert";
        ThreadLocal "_Thread_local" "__thread";
        KwPragma "_Pragma";
        Asm "asm" "__asm" "__asm__";
        Typeof "typeof" "__typeof" "__typeof__";
        TypeofUnqual "__typeof_unqual__" "__typeof_unqual";
        Attribute "__attribute__" "__attribute";
        Extension "__extension__";
        Label "__label__";
        AutoType "__auto_type";
        Real "__real__" "__real";
        Imag "__imag__" "__imag";
        Int128 "__int128";
        Float16 "_Float16";
        Float32 "_Float32";
        Float64 "_Float64";
        Float32x "_Float32x";
        Float64x "_Float64x";
        Float128 "_Float128" "__float128";
        Float80 "__float80";
        Decimal32 "_Decimal32";
        Decimal64 "_Decimal64";
        Decimal128 "_Decimal128";
        BitInt "_BitInt";
        VaList "__builtin_va_list";
        Int128T "__int128_t";
        UInt128T "__uint128_t";
        VaArg "__builtin_va_arg";
        Offsetof "__builtin_offsetof";
        TypesCompatible "__builtin_types_compatible_p";
        ChooseExpr "__builtin_choose_expr";
        ConvertVector "__builtin_convertvector";
    }
}

/// Words that C23 made keywords and that C17 leaves to programs. They are keywords where no declaration in scope has made
/// another thing of them. (What headers make of them, preprocessing has replaced.)
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Soft {
    Bool,
    Constexpr,
    ThreadLocal,
    Alignas,
    TypeofUnqual,
    Alignof,
    StaticAssert,
    Constant,
}

/// [`Soft`] keywords by their spellings; [`crate::lex::names_with_keywords`] has them behind the others, in this order.
pub const SOFT_KEYWORDS: &[(&str, Soft)] = &[
    ("bool", Soft::Bool),
    ("constexpr", Soft::Constexpr),
    ("thread_local", Soft::ThreadLocal),
    ("alignas", Soft::Alignas),
    ("typeof_unqual", Soft::TypeofUnqual),
    ("alignof", Soft::Alignof),
    ("static_assert", Soft::StaticAssert),
    ("true", Soft::Constant),
    ("false", Soft::Constant),
    ("nullptr", Soft::Constant),
];

/// The soft keyword that a name spells.
pub fn soft_keyword(name: Symbol) -> Option<Soft> {
    let number = (name.0 as usize).checked_sub(KEYWORDS.len())?;
    SOFT_KEYWORDS.get(number).map(|k| k.1)
}
