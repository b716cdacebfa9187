//! The undefined behaviours the machine finds: one enum, each with a stable name and its C11 clause.
//!
//! To add one: a line here, the check where it happens, and `tests/machine/undefined/NAME.c` with its defined
//! sibling `tests/machine/defined/NAME.c` (a test holds that both exist).

macro_rules! behaviours {
    ($($variant:ident $name:literal $clause:literal $text:literal;)*) => {
        /// An undefined behaviour.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum Ub { $(#[doc = $text] $variant),* }

        impl Ub {
            /// All of them, in order of their clauses.
            pub const ALL: &[Ub] = &[$(Ub::$variant),*];

            /// The stable name, as in file names, JSON and goldens.
            pub fn name(self) -> &'static str { match self { $(Ub::$variant => $name),* } }

            /// The clause of ISO/IEC 9899:2011 that makes it undefined.
            pub fn clause(self) -> &'static str { match self { $(Ub::$variant => $clause),* } }

            /// What it is, in one line.
            pub fn text(self) -> &'static str { match self { $(Ub::$variant => $text),* } }
        }
    };
}

behaviours! {
    DanglingPointer "dangling-pointer" "6.2.4p2" "an object is used outside its lifetime";
    UninitialisedRead "uninitialised-read" "6.3.2.1p2" "a value is used that was never given";
    TemporaryModified "temporary-modified" "6.2.4p8" "an object of temporary lifetime is written";
    FloatToIntRange "float-to-int-range" "6.3.1.4p1" "a floating value does not fit the integer type it is converted to";
    MisalignedConversion "misaligned-pointer" "6.3.2.3p7" "an object is accessed through a pointer misaligned for its type";
    WrongFunctionType "wrong-function-type" "6.5.2.2p9" "a function is called through an incompatible type";
    WrongArguments "wrong-arguments" "6.5.2.2p6" "arguments of an unprototyped call do not agree with the parameters";
    UnsequencedAccess "unsequenced-access" "6.5p2" "a side effect is unsequenced relative to another access of the same object";
    EffectiveType "effective-type" "6.5p7" "an object is accessed through an lvalue of a wrong type";
    SignedOverflow "signed-overflow" "6.5p5" "the result of an arithmetic operation does not fit its type";
    NullDereference "null-dereference" "6.5.3.2p4" "a null pointer is dereferenced";
    InvalidDereference "invalid-dereference" "6.5.3.2p4" "a pointer that points to no object is dereferenced";
    OutOfBounds "out-of-bounds" "6.5.6p8" "an access lies outside its object or array";
    PointerArithmetic "pointer-arithmetic" "6.5.6p8" "pointer arithmetic leaves the object by more than one past its end";
    PointerDifference "pointer-difference" "6.5.6p9" "pointers to different objects are subtracted";
    PointerComparison "pointer-comparison" "6.5.8p5" "pointers to different objects are compared for order";
    DivisionByZero "division-by-zero" "6.5.5p5" "the divisor is zero";
    DivisionOverflow "division-overflow" "6.5.5p6" "the quotient does not fit its type";
    ShiftCount "shift-count" "6.5.7p3" "a shift count is negative or not below the width";
    ShiftOverflow "shift-overflow" "6.5.7p4" "a signed left shift of a negative value or beyond the type";
    OverlappingAssignment "overlapping-assignment" "6.5.16.1p3" "an object is assigned from one that it overlaps inexactly";
    StaticArray "static-array" "6.7.6.3p7" "an argument points to fewer elements than `[static n]` asks for";
    VlaSize "vla-size" "6.7.6.2p5" "a variable array length is not positive";
    ConstModified "const-modified" "6.7.3p6" "an object defined const is written";
    VolatileAccess "volatile-access" "6.7.3p6" "an object defined volatile is accessed through a non-volatile lvalue";
    RestrictViolation "restrict-violation" "6.7.3.1p4" "an object reached through a restrict pointer is also accessed otherwise";
    StringModified "string-modified" "6.4.5p7" "a string literal is written";
    MissingReturn "missing-return" "6.9.1p12" "the value of a function that ended without one is used";
    NoreturnReturned "noreturn-returned" "6.7.4p8" "a _Noreturn function returned";
    GotoIntoVla "goto-into-vla" "6.8.6.1p1" "a jump enters the scope of a variable-length array";
    InvalidFree "invalid-free" "7.22.3.3p2" "free or realloc of a pointer that the allocator did not return, or twice";
    OverlappingCopy "overlapping-copy" "7.24.2.1p2" "memory is copied between objects that overlap";
    ReservedIdentifier "reserved-identifier" "7.1.3p2" "the program defines a function whose name the library owns";
    LibraryArgument "library-argument" "7.1.4p1" "a library function is called with an invalid argument";
    FormatMismatch "format-mismatch" "7.21.6.1p9" "a conversion specification does not fit its argument";
    FormatArguments "format-arguments" "7.21.6.1p2" "a format asks for more arguments than there are";
    VaArgType "va-arg-type" "7.16.1.1p2" "va_arg asks for a type that the argument does not have, or for too many";
    VaListState "va-list-state" "7.16.1p3" "a va_list is used without va_start or after its function returned";
    JumpTarget "longjmp-target" "7.13.2.1p2" "longjmp or goto to a function that has ended";
    Unreachable "unreachable" "gnu" "__builtin_unreachable is reached";
    BuiltinArgument "builtin-argument" "gnu" "a builtin is called outside its domain, as __builtin_clz(0)";
    BoolRepresentation "bool-representation" "6.2.6.1p5" "a _Bool object holds neither 0 nor 1";
    EnumAttribute "attribute-violated" "gnu" "a promise made by an attribute or assumption is broken";
}
