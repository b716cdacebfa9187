//! The functions that detours call: plain C without headers, each computes one thing through volatile objects.

use csyntax::tree::{Op, Rel, Unit};
use csyntax::types::{FloatKind, IntKind, Ty, TyKind};

/// An arithmetic type, as far as detours tell types apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer.
    Int(IntKind),
    /// A real floating type.
    Float(FloatKind),
}

impl Scalar {
    /// Of a type; `None` of pointers, aggregates and what the helpers have no word for.
    pub fn of(unit: &Unit, ty: Ty) -> Option<Scalar> {
        if let Some(kind) = unit.types.int_kind(ty) {
            let wide = kind >= IntKind::Int128;
            return (!wide).then_some(Scalar::Int(kind));
        }
        match unit.types.kind(ty) {
            TyKind::Float(kind @ (FloatKind::Float | FloatKind::Double | FloatKind::LongDouble)) => {
                Some(Scalar::Float(*kind))
            }
            _ => None,
        }
    }

    /// In C.
    pub fn c(self) -> &'static str {
        match self {
            Scalar::Int(kind) => match kind {
                IntKind::Bool => "_Bool",
                IntKind::Char => "char",
                IntKind::SChar => "signed char",
                IntKind::UChar => "unsigned char",
                IntKind::Short => "short",
                IntKind::UShort => "unsigned short",
                IntKind::Int => "int",
                IntKind::UInt => "unsigned",
                IntKind::Long => "long",
                IntKind::ULong => "unsigned long",
                IntKind::LLong | IntKind::Int128 | IntKind::BitInt(_) => "long long",
                IntKind::ULLong | IntKind::UInt128 | IntKind::UBitInt(_) => "unsigned long long",
            },
            Scalar::Float(FloatKind::Float) => "float",
            Scalar::Float(FloatKind::LongDouble) => "long double",
            Scalar::Float(FloatKind::Double | FloatKind::Float16 | FloatKind::Float128) => "double",
        }
    }

    /// The class that keys speak of: widths and signs that compilers treat alike.
    pub fn class(self, unit: &Unit) -> String {
        match self {
            Scalar::Int(IntKind::Bool) => "bool".to_owned(),
            Scalar::Int(kind) => {
                let width = match unit.types.int_bytes(kind) {
                    0..=2 => "narrow",
                    4 => "word",
                    _ => "wide",
                };
                format!("{width} {}", if unit.types.int_signed(kind) { "signed" } else { "unsigned" })
            }
            Scalar::Float(FloatKind::LongDouble) => "long double".to_owned(),
            Scalar::Float(_) => "floating".to_owned(),
        }
    }

    /// The type that holds all its values and that it is computed in: 64 bits of integers.
    fn roomy(self) -> &'static str {
        use IntKind::{Bool, UChar, UInt, UInt128, ULLong, ULong, UShort};
        match self {
            // Products of 32 bits overflow signed ones of 64.
            Scalar::Int(Bool | UChar | UShort | UInt | ULong | ULLong | UInt128) => "unsigned long long",
            Scalar::Int(_) => "long long",
            Scalar::Float(_) => self.c(),
        }
    }
}

/// What a helper computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Helper {
    /// The value converted.
    Convert(Scalar, Scalar),
    /// The value itself.
    Same(Scalar),
    /// Is the value other than zero?
    Test(Scalar),
    /// Is it zero?
    Not(Scalar),
    /// The negative value.
    Neg(Scalar),
    /// The complement.
    Complement(Scalar),
    /// An operator; the right operand of shifts has a type of its own.
    Binary(Op, Scalar, Scalar),
    /// A comparison.
    Compare(Rel, Scalar),
}

impl Helper {
    /// Its name.
    pub fn name(self) -> String {
        let word = |scalar: Scalar| scalar.c().replace(' ', "_");
        match self {
            Helper::Convert(from, to) => format!("plumb_{}_to_{}", word(from), word(to)),
            Helper::Same(of) => format!("plumb_{}", word(of)),
            Helper::Test(of) => format!("plumb_test_{}", word(of)),
            Helper::Not(of) => format!("plumb_not_{}", word(of)),
            Helper::Neg(of) => format!("plumb_neg_{}", word(of)),
            Helper::Complement(of) => format!("plumb_complement_{}", word(of)),
            Helper::Binary(op, of, by) => format!("plumb_{op:?}_{}_{}", word(of), word(by)),
            Helper::Compare(rel, of) => format!("plumb_{rel:?}_{}", word(of)),
        }
    }

    /// Its definition.
    pub fn definition(self) -> String {
        let name = self.name();
        let one = |ret: &str, param: Scalar, value: &str| {
            let t = param.roomy();
            format!("static {ret} {name}({t} a) {{ volatile {t} v = a; return {value}; }}\n")
        };
        let two = |ret: &str, (a, b): (Scalar, Scalar), value: &str| {
            let (s, t) = (a.roomy(), b.roomy());
            format!(
                "static {ret} {name}({s} a, {t} b) {{ volatile {s} v = a; volatile {t} w = b; return {value}; }}\n"
            )
        };
        match self {
            Helper::Convert(from, to) => one(to.c(), from, &format!("({})v", to.c())),
            Helper::Same(of) => one(of.c(), of, &format!("({})v", of.c())),
            Helper::Test(of) => one("int", of, "v != 0"),
            Helper::Not(of) => one("int", of, "v == 0"),
            Helper::Neg(of) => one(of.c(), of, &format!("({})-v", of.c())),
            Helper::Complement(of) => one(of.c(), of, &format!("({})~v", of.c())),
            Helper::Binary(op, of, by) => two(of.c(), (of, by), &format!("({})(v {} w)", of.c(), symbol(op))),
            Helper::Compare(rel, of) => two("int", (of, of), &format!("v {} w", relation(rel))),
        }
    }
}

/// An operator in C.
pub fn symbol(op: Op) -> &'static str {
    match op {
        Op::Mul => "*",
        Op::Div => "/",
        Op::Rem => "%",
        Op::Add => "+",
        Op::Sub => "-",
        Op::Shl => "<<",
        Op::Shr => ">>",
        Op::And => "&",
        Op::Xor => "^",
        Op::Or => "|",
    }
}

/// A comparison in C.
pub fn relation(rel: Rel) -> &'static str {
    match rel {
        Rel::Lt => "<",
        Rel::Gt => ">",
        Rel::Le => "<=",
        Rel::Ge => ">=",
        Rel::Eq => "==",
        Rel::Ne => "!=",
    }
}
