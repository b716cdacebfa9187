//! What a Clang offers: options of its driver, and those of LLVM's passes (`-mllvm`) that this one knows. LLVM lists
//! over two thousand, most for debugging or other targets; the table names those that change what passes do.

use super::{Dish, Menu, Tester};

/// What a word for LLVM follows.
pub(super) const PREFIX: &str = "-mllvm";

/// Options of the driver, each a choice.
const DRIVER: &[&[&str]] = &[
    &["-fvectorize", "-fno-vectorize"],
    &["-fslp-vectorize", "-fno-slp-vectorize"],
    &["-funroll-loops", "-fno-unroll-loops"],
    &["-fno-inline", "-finline-hint-functions"],
    &["-fno-builtin"],
    &["-fno-strict-aliasing", "-fstrict-aliasing"],
    &["-ftrivial-auto-var-init=pattern", "-ftrivial-auto-var-init=zero"],
    &["-fstack-protector-all", "-fstack-protector-strong"],
    &["-fcf-protection=full", "-fcf-protection=none"],
    &["-fzero-call-used-regs=all", "-fzero-call-used-regs=used"],
    &["-fPIC", "-fPIE"],
    &["-g"],
    &["-fomit-frame-pointer", "-fno-omit-frame-pointer"],
    &["-fno-optimize-sibling-calls"],
    &["-ffunction-sections", "-fdata-sections"],
    &["-fno-jump-tables"],
    &["-fsplit-machine-functions"],
    &["-mno-red-zone"],
    &["-flto"],
];

/// Switches of LLVM's passes.
const SWITCHES: &[&str] = &[
    "enable-gvn-hoist",
    "enable-gvn-sink",
    "enable-newgvn",
    "enable-loopinterchange",
    "enable-loop-distribute",
    "enable-loop-flatten",
    "enable-loop-versioning-licm",
    "enable-unroll-and-jam",
    "enable-dfa-jump-thread",
    "enable-jump-table-to-switch",
    "enable-partial-inlining",
    "enable-chr",
    "enable-constraint-elimination",
    "enable-merge-functions",
    "enable-machine-outliner",
    "enable-epilogue-vectorization",
    "enable-cond-stores-vec",
    "enable-interleaved-mem-accesses",
    "enable-masked-interleaved-mem-accesses",
    "enable-if-conversion",
    "enable-load-pre",
    "enable-pre",
    "enable-phi-of-ops",
    "enable-nontrivial-unswitch",
    "enable-ipra",
    "enable-global-merge",
    "enable-misched",
    "enable-post-misched",
    "enable-shrink-wrap",
    "enable-matrix",
    "enable-module-inliner",
    "enable-ext-tsp-block-placement",
    "enable-knowledge-retention",
    "enable-dse-partial-store-merging",
    "enable-memcpyopt-without-libcalls",
    "enable-andcmp-sinking",
    "extra-vectorizer-passes",
    "aggressive-ext-opt",
    "aggressive-machine-cse",
    "early-live-intervals",
    "combiner-store-merging",
    "combiner-split-load-index",
    "combiner-use-tbaa",
    "combiner-global-alias-analysis",
    "combiner-stress-load-slicing",
    "stress-early-ifcvt",
    "stress-cgp-store-extract",
    "stress-cgp-ext-ld-promotion",
    "disable-lsr",
    "disable-cgp",
    "disable-block-placement",
    "disable-machine-cse",
    "disable-machine-licm",
    "disable-machine-sink",
    "disable-peephole",
    "disable-early-taildup",
    "disable-tail-duplicate",
    "disable-select-optimize",
    "disable-vector-combine",
    "disable-licm-promotion",
    "disable-memop-opt",
    "disable-binop-extract-shuffle",
    "disable-early-ifcvt",
    "disable-copyprop",
    "disable-merge-into-combines",
    "x86-early-ifcvt",
    "x86-machine-combiner",
    "x86-and-imm-shrink",
    "x86-cmov-converter",
    "x86-cmov-converter-force-all",
    "x86-promote-anyext-load",
    "x86-use-vzeroupper",
    "x86-disable-avoid-SFB",
    "mul-constant-optimization",
    "no-stack-coloring",
    "no-stack-slot-sharing",
    "post-RA-scheduler",
    "prefer-inloop-reductions",
    "prefer-predicated-reduction-select",
    "simplifycfg-hoist-common",
    "simplifycfg-sink-common",
    "simplifycfg-merge-cond-stores-aggressively",
    "simplifycfg-hoist-cond-stores",
    "sink-common-insts",
    "slp-vectorize-hor",
    "slp-vectorize-hor-store",
    "slp-vectorize-non-power-of-2",
    "slp-skip-early-profitability-check",
    "sroa-skip-mem2reg",
    "speculate-one-expensive-inst",
    "switch-range-to-icmp",
    "switch-to-lookup",
    "tail-dup-placement",
    "unroll-allow-partial",
    "unroll-allow-peeling",
    "unroll-allow-remainder",
    "unroll-allow-loop-nests-peeling",
    "unroll-runtime",
    "unroll-runtime-epilog",
    "unroll-runtime-multi-exit",
    "unroll-remainder",
    "vectorizer-maximize-bandwidth",
    "twoaddr-reschedule",
    "terminal-rule",
    "scalar-evolution-use-expensive-range-sharpening",
    "hoist-const-stores",
    "hoist-const-loads",
    "interleave-small-loop-scalar-reduction",
    "loop-rotate-multi",
    "licm-control-flow-hoisting",
    "jump-threading-across-loop-headers",
    "dse-optimize-memoryssa",
    "consthoist-gep",
    "cgp-icmp-eq2icmp-st",
    "cgp-optimize-phi-types",
    "cgp-split-large-offset-gep",
    "addr-sink-new-phis",
    "addr-sink-new-select",
    "adce-remove-loops",
    "allow-unroll-and-jam",
];

/// Numbers that steer LLVM's passes, with values to draw from.
const NUMBERS: &[(&str, &[u32])] = &[
    ("force-vector-width", &[1, 2, 4, 8, 16]),
    ("force-vector-interleave", &[1, 2, 3, 4]),
    ("force-target-max-vector-interleave", &[1, 2, 4]),
    ("inline-threshold", &[0, 50, 1000, 10_000]),
    ("unroll-threshold", &[0, 50, 2000]),
    ("unroll-count", &[2, 3, 5]),
    ("unroll-max-count", &[2, 7]),
    ("unroll-and-jam-count", &[2, 4]),
    ("slp-threshold", &[0, 10]),
    ("slp-min-reg-size", &[32, 64]),
    ("slp-max-vf", &[2, 4]),
    ("jump-threading-threshold", &[0, 60]),
    ("max-speculation-depth", &[0, 100]),
    ("phi-node-folding-threshold", &[0, 10]),
    ("two-entry-phi-node-folding-threshold", &[0, 20]),
    ("max-dependences", &[0, 1000]),
    ("licm-max-num-uses-traversed", &[0, 64]),
    ("memdep-block-scan-limit", &[1, 1000]),
    ("earlycse-mssa-optimization-cap", &[0, 5000]),
    ("instcombine-max-sink-users", &[0, 200]),
    ("instcombine-maxarray-size", &[0, 4096]),
    ("aggressive-instcombine-max-scan-instrs", &[1, 500]),
    ("loop-distribute-scev-check-threshold", &[0, 64]),
    ("memory-check-merge-threshold", &[0, 1000]),
    ("runtime-memory-check-threshold", &[0, 128]),
    ("vectorize-scev-check-threshold", &[0, 128]),
    ("small-loop-cost", &[0, 200]),
    ("tail-dup-size", &[1, 16]),
    ("tail-merge-threshold", &[0, 500]),
    ("align-all-blocks", &[3, 5]),
    ("max-switch-cases-per-result", &[1, 50]),
    ("min-jump-table-entries", &[2, 50]),
    ("jump-table-density", &[1, 80]),
    ("switch-peel-threshold", &[0, 40]),
];

/// The menu: of LLVM's options those that its list has.
pub(super) fn menu(tester: &Tester<'_>) -> Menu {
    let listed = listed(tester);
    let known = |name: &&str| listed.iter().any(|known| known == name);
    let word = |text: String| vec![PREFIX.to_owned(), text];
    let driver =
        DRIVER.iter().map(|ways| Dish { ways: ways.iter().map(|way| vec![(*way).to_owned()]).collect() });
    let switch =
        |name: &str| Dish { ways: ["true", "false"].map(|value| word(format!("-{name}={value}"))).to_vec() };
    let options = driver.chain(SWITCHES.iter().copied().filter(known).map(switch)).collect();
    let number = |(name, values): &(&str, &[u32])| Dish {
        ways: values.iter().map(|value| word(format!("-{name}={value}"))).collect(),
    };
    let parameters = NUMBERS.iter().filter(|(name, _)| known(name)).map(number).collect();
    Menu { options, parameters, ..Menu::default() }
}

/// The names of all options of LLVM that this compiler has.
fn listed(tester: &Tester<'_>) -> Vec<String> {
    let text = tester.said(&[PREFIX, "-help-list-hidden", "-x", "c", "-c", "-o", "/dev/null", "/dev/null"]);
    let name = |line: &str| {
        let word = line.trim_start().strip_prefix("--")?;
        Some(word.split([' ', '=', '[']).next()?.to_owned())
    };
    text.lines().filter_map(name).collect()
}
