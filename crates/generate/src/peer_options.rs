//! Csmith's options that do nothing here, because programs are as they ask anyway, and those that are left out.

/// Flags that are accepted and change nothing, with the reason.
pub const IMPLIED: &[(&str, &str)] = &[
    ("concise", "`plumb gen`: programs do not begin with a comment of version, seed and options"),
    ("quiet", "nothing is printed but the program"),
    ("strict-const-arrays", "initialisers of arrays are constants"),
    ("fresh-array-ctrl-var-names", "every loop has a counter with a name of its own"),
    ("math-notmp", "guards of arithmetic are functions or operators, never macros with temporaries"),
    ("no-return-dead-pointer", "no function returns a dangling pointer"),
    ("force-non-uniform-arrays", "elements are drawn one by one"),
    ("no-force-non-uniform-arrays", "elements are drawn one by one, and may be equal"),
    ("no-union-read-type-sensitive", "only the member last stored to is read"),
    ("no-signed-char-index", "indices are masked or counted, never bare `char`s"),
    ("strict-float", "a floating object gets converted integers only by a cast"),
    ("no-dangling-global-pointers", "dangling pointers are never read"),
    ("const-as-condition", "conditions are any expression, constants included"),
    ("compact-output", "programs are written in one way"),
    ("dangling-global-pointers", "dangling pointers are never read, so none needs a reset"),
];

/// Options that are not supported: name, whether it takes a value, why.
pub const LEFT: &[(&str, bool, &str)] = &[
    ("lang-cpp", false, "programs are C"),
    ("cpp11", false, "programs are C"),
    ("expand-struct", false, "structs are gone through like everything else"),
    ("struct-output", true, "structs stand in the program, before everything else"),
    ("prefix-name", false, "every name has a number already"),
    ("sequence-name-prefix", false, "every name has a number already"),
    ("compatible-check", false, "`x = x` is as good as any statement for a compiler's test"),
    ("msp", false, "a dialect of one compiler"),
    ("ccomp", false, "`--no-gnu` makes strictly conforming programs"),
    ("splat", false, "support for an external tool"),
    ("klee", false, "support for an external tool"),
    ("crest", false, "support for an external tool"),
    ("coverage-test", false, "support for an external tool"),
    ("coverage-test-size", true, "support for an external tool"),
    ("func1_max_params", true, "only with the external tools"),
    (
        "reduce",
        true,
        "a format of one tool; reduction works on the recorded choices (`--go-delta`) or on the text",
    ),
    ("partial-expand", true, "weights are set with `--weight NAME=N`"),
    (
        "return-dead-pointer",
        false,
        "the value of a pointer to an object whose life has ended is indeterminate (6.2.4p2): programs would be undefined",
    ),
    ("union-read-type-sensitive", false, "what other members hold depends on the byte order"),
];
