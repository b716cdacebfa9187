//! Csmith's options that do nothing here, because programs are as they ask anyway, and those that are left out.

/// Flags that are accepted and change nothing, with the reason.
pub const IMPLIED: &[(&str, &str)] = &[
    ("concise", "programs have no comments"),
    ("quiet", "programs have no comments"),
    ("strict-const-arrays", "initialisers of arrays are constants"),
    ("fresh-array-ctrl-var-names", "every loop has a counter with a name of its own"),
    ("math-notmp", "guards of arithmetic are functions or operators, never macros with temporaries"),
    ("no-delta-reduction", "nothing is reduced while generating"),
    ("no-return-dead-pointer", "no function returns a dangling pointer"),
    ("force-non-uniform-arrays", "elements are drawn one by one"),
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
    ("max-nested-struct-level", true, "`--max-struct-nested-level` holds in every mode"),
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
    ("delta-monitor", true, "reduction works on the recorded choices or on the program text"),
    ("delta-input", true, "reduction works on the recorded choices or on the program text"),
    ("delta-output", true, "reduction works on the recorded choices or on the program text"),
    ("go-delta", true, "reduction works on the recorded choices or on the program text"),
    ("reduce", true, "reduction works on the recorded choices or on the program text"),
    ("partial-expand", true, "weights are set with `--weight NAME=N`"),
    ("monitor-funcs", true, "intermediate states are the abstract machine's to show: `plumb run --profile`"),
    (
        "step-hash-by-stmt",
        false,
        "intermediate states are the abstract machine's to show: `plumb run --profile`",
    ),
    ("return-dead-pointer", false, "it would be undefined to use the result"),
    (
        "mark-mutable-const",
        false,
        "mutation (`plumb emi`, `plumb hunt`) works on the syntax tree and needs no marks",
    ),
    ("union-read-type-sensitive", false, "what other members hold depends on the byte order"),
];
