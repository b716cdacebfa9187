//! The part of a reproducer that counts accesses to a volatile object: it brings its own tracer, in C.

use crate::oracles::volatile::{AccessFacts, Difference};

const TRACER: &str = include_str!("trace.c");

/// The lines that watch the program; `start` are the words that run it, its name the first.
pub(super) fn count(facts: &AccessFacts, arguments: &str) -> String {
    let AccessFacts { object, offset, size, reads, writes, merged, .. } = facts;
    let all = reads + writes;
    let values: String = facts.values.iter().map(|value| format!("w {value}\n")).collect();
    let values = if facts.values.is_empty() {
        ": >\"$tmp/values\"\n".to_owned()
    } else {
        format!("cat >\"$tmp/values\" <<'END'\n{values}END\n")
    };
    let known = if facts.values.is_empty() && *writes > 0 { "" } else { "yes" };
    // What the tracer does not see: what it calls right may still be the bug.
    let rest = match facts.difference {
        Difference::Order | Difference::Width => "echo 'it may be a matter of order or width'; exit 2",
        Difference::Gone
        | Difference::FewerReads
        | Difference::MoreReads
        | Difference::FewerWrites
        | Difference::MoreWrites
        | Difference::Values => "echo 'the bug does not show'; exit 0",
    };
    format!(
        "if [ $compiled -ne 0 ]; then echo 'the compiler failed'; exit 2; fi\n\
         cat >\"$tmp/trace.c\" <<'END'\n{TRACER}END\n\
         ${{TRACE_CC:-cc}} -w \"$tmp/trace.c\" -o \"$tmp/trace\" || {{ echo 'no tracer'; exit 2; }}\n\
         {values}\
         echo 'expected: {reads} reads and {writes} writes of the volatile object {object}, byte {offset}'\n\
         at=$(nm \"$tmp/program\" | awk '$3 == \"{object}\" {{ print $1 }}')\n\
         if [ -z \"$at\" ]; then echo 'actual:   it is not in the program'; [ {all} -eq 0 ] && exit 0\n\
         echo 'the bug shows'; exit 1; fi\n\
         at=$(printf %x $((0x$at + {offset})))\n\
         $limit \"$tmp/trace\" \"$at\" {size} \"$tmp/program\"{arguments} >\"$tmp/accesses\"\n\
         if [ $? -ne 0 ]; then echo 'programs cannot be traced here, or it did not end'; exit 2; fi\n\
         grep '^w' \"$tmp/accesses\" >\"$tmp/written\"\n\
         instructions=$(grep -c . \"$tmp/accesses\") written=$(grep -c . \"$tmp/written\")\n\
         echo \"actual:   $instructions instructions access it, $written of them write\"\n\
         # One instruction may both read and write: {merged} did.\n\
         if [ \"$written\" -ne {writes} ] || {{ [ \"$instructions\" -ne {all} ] && [ $((instructions + {merged})) -ne {all} ]; }} ||\n  \
         {{ [ '{known}' ] && ! cmp -s \"$tmp/values\" \"$tmp/written\"; }}\n\
         then echo 'the bug shows'; exit 1; fi\n\
         {rest}\n"
    )
}
