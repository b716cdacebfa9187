//! Hunts from every source: what is counted, resumed and rejected.

mod common;

use common::{Plumb, lines};

#[test]
fn a_directory_is_tested_once_and_the_undefined_is_rejected() {
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    let file = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("writable");
    file("hello.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 3; }\n");
    file("aborts.c", "#include <stdlib.h>\nint main(void) { abort(); }\n");
    file("overflow.c", "int main(int n, char **v) { int x = 2147483647; return (x + n) != 0; }\n");
    file(
        "address.c",
        "#include <stdio.h>\nint main(void) { int x; printf(\"%p\\n\", (void *)&x); return 0; }\n",
    );
    file("prose.c", "Not a program.\n");
    file("notes.txt", "ignored");
    let args = ["hunt", "--json", "--from", "programs", "--cc", "gcc", "--levels", "-O0,-O2"];
    let done = plumb.run(&args);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["programs"], 5, "{summary}");
    assert_eq!(summary["tested"], 2, "{summary}");
    assert_eq!(summary["results"]["pass"], 4, "{summary}");
    let rejected = &summary["rejected"];
    for reason in ["undefined: signed-overflow", "address-dependent", "not-c"] {
        assert_eq!(rejected[reason], 1, "{reason}: {summary}");
    }
    // Again: nothing is left to do, and nothing is counted twice.
    let again = plumb.run(&args);
    let lines = lines(&again.stdout);
    assert_eq!(lines.len(), 1, "{}", again.stdout);
    assert_eq!(lines[0]["programs"], 5);
}

#[test]
fn a_campaign_goes_on_where_it_stopped() {
    let plumb = Plumb::new();
    let hunt = |programs: &str| {
        let args =
            ["hunt", "--json", "--cc", "gcc", "--levels", "-O1", "--seed", "1000", "--programs", programs];
        let done = plumb.run(&args);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        lines(&done.stdout)
    };
    let seeds = |lines: &[serde_json::Value]| {
        let mut seeds: Vec<u64> = lines.iter().filter_map(|line| line["seed"].as_u64()).collect();
        seeds.sort_unstable();
        seeds
    };
    assert_eq!(seeds(&hunt("6")), (1000..1006).collect::<Vec<_>>());
    let more = hunt("10");
    assert_eq!(seeds(&more), (1006..1010).collect::<Vec<_>>());
    assert_eq!(more.last().expect("a summary")["results"]["pass"], 10);
}

#[test]
fn a_second_hunt_on_the_same_store_is_refused() {
    let plumb = Plumb::new();
    let store = plumb.store();
    std::fs::create_dir(&store).expect("writable");
    let lock = std::fs::File::create(store.join("lock")).expect("writable");
    lock.lock().expect("free");
    let done = plumb.run(&["hunt", "--cc", "gcc", "--programs", "1"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("another hunt is using it"), "{}", done.stderr);
}

#[test]
fn csmith_programs_are_tested() {
    let plumb = Plumb::new();
    if common::shell(&["sh", "-c", "command -v csmith"]).code != 0 {
        eprintln!("csmith is not installed: nothing to test (scripts/test installs it)");
        return;
    }
    let args = ["hunt", "--json", "--from", "csmith", "--cc", "gcc", "--levels", "-O0", "--programs", "5"];
    let done = plumb.run(&args);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["programs"], 5, "{summary}");
    assert_eq!(summary["alarms"].as_object().map(serde_json::Map::len), Some(0), "{}", done.stdout);
    assert!(summary["tested"].as_u64() >= Some(3), "{summary}");
}

#[test]
fn foreign_programs_are_run_by_an_emulator() {
    let plumb = Plumb::new();
    let tools = "command -v aarch64-linux-gnu-gcc && command -v qemu-aarch64";
    if common::shell(&["sh", "-c", tools]).code != 0 {
        eprintln!("no cross compiler or emulator: nothing to test (scripts/test installs them)");
        return;
    }
    let compilers = ["--cc", "aarch64-linux-gnu-gcc", "--cc", "gcc"];
    let rest = ["hunt", "--json", "--levels", "-O2", "--programs", "4"];
    let done = plumb.run(&[rest.as_slice(), &compilers].concat());
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert_eq!(lines(&done.stdout).pop().expect("a summary")["results"]["pass"], 8);
}

#[test]
fn generated_files_are_the_same_every_time() {
    let plumb = Plumb::new();
    assert_eq!(plumb.run(&["gen", "--seed", "9", "-o", "a.c"]).code, 0);
    let direct = plumb.run(&["gen", "--seed", "9"]);
    let many = plumb.run(&["gen", "--seed", "8", "--count", "3", "-o", "many", "--json"]);
    let text = std::fs::read_to_string(plumb.dir().join("a.c")).expect("written");
    assert_eq!(direct.stdout, text);
    assert_eq!(std::fs::read_to_string(plumb.dir().join("many/9.c")).expect("written"), text);
    assert_eq!(lines(&many.stdout).pop().expect("a summary")["programs"], 3);
}

#[test]
fn variants_are_tested_between_programs() {
    let plumb = Plumb::new();
    let hunt = |programs: &str| {
        let args =
            ["hunt", "--json", "--cc", "gcc", "--levels", "-O2", "--strategy", "all", "--programs", programs];
        let done = plumb.run(&args);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        lines(&done.stdout)
    };
    let first = hunt("30");
    let summary = first.last().expect("a summary");
    assert_eq!(summary["tested"], 30, "{summary}");
    for strategy in ["orion", "hermes", "proteus"] {
        assert!(summary["variants"][strategy].as_u64().is_some_and(|n| n > 0), "{strategy}: {summary}");
    }
    let seeds = first.iter().filter(|line| line["strategies"] == "").count();
    assert!((1..15).contains(&seeds), "{seeds} seeds among 30 programs");
    // Counts go on from the store.
    let more = hunt("36");
    let after = more.last().expect("a summary");
    assert_eq!(after["tested"], 36, "{after}");
    assert!(after["variants"]["orion"].as_u64() >= summary["variants"]["orion"].as_u64());
    let unknown = plumb.run(&["hunt", "--strategy", "orin"]);
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);
    assert!(unknown.stderr.contains("athena"), "{}", unknown.stderr);
}

#[test]
fn variants_of_a_directory_take_statements_from_a_corpus() {
    let plumb = Plumb::new();
    for dir in ["seeds", "corpus"] {
        std::fs::create_dir(plumb.dir().join(dir)).expect("writable");
    }
    let seed = "int g, h = 3;\nint main(void)\n{\n    if (g) {\n        h = 4;\n        g = h;\n    }\n    return h;\n}\n";
    plumb.file("seeds/a.c", seed);
    plumb.file(
        "corpus/b.c",
        "int far; int other(int k) { while (k > 3) { far += k * 77; k -= 2; } return k; }\n",
    );
    let base = ["hunt", "--json", "--cc", "gcc", "--levels", "-O1", "--from", "seeds"];
    let athena = ["--strategy", "athena", "--variants", "6"];
    let run = |more: &[&str]| plumb.run(&[base.as_slice(), more].concat());
    let with = run(&[athena.as_slice(), &["--corpus", "corpus"]].concat());
    assert_eq!(with.code, 0, "{}{}", with.stdout, with.stderr);
    assert!(with.stderr.contains("statements taken from the corpus"), "{}", with.stderr);
    let tested = lines(&with.stdout).pop().expect("a summary")["tested"].as_u64();
    assert!(tested.is_some_and(|n| n > 1), "{}", with.stdout);
    // What is inserted belongs to the campaign: without it, another one begins.
    let without = run(&athena);
    assert_eq!(lines(&without.stdout).len() as u64, tested.unwrap_or(0) + 1, "{}", without.stdout);
    let refused = run(&["--corpus", "corpus"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("--strategy"), "{}", refused.stderr);
}

#[test]
fn programs_of_several_units_are_tested_as_units() {
    let plumb = Plumb::new();
    // A compiler that cannot make objects: only programs in one piece get past it.
    let whole =
        plumb.script("whole", "#!/bin/sh\ncase \" $* \" in *\" -c \"*) exit 1 ;; esac\nexec gcc \"$@\"\n");
    let whole = whole.display().to_string();
    let hunt = |compiler: &str, options: &[&str]| {
        let plain = ["hunt", "--json", "--levels", "-O1", "--programs", "4", "--cc", compiler];
        let done = Plumb::new().run(&[plain.as_slice(), options].concat());
        lines(&done.stdout).pop().expect("a summary")["results"]["pass"].as_u64()
    };
    assert_eq!(hunt("gcc", &["--units", "3"]), Some(4));
    assert_eq!(hunt(&whole, &[]), Some(4));
    assert_ne!(hunt(&whole, &["--units", "3"]), Some(4));
}

/// A project of two programs that share a file, in a directory of its own.
fn project(plumb: &Plumb) {
    let put = |name: &str, text: &str| {
        let path = plumb.dir().join("project").join(name);
        std::fs::create_dir_all(path.parent().expect("beneath")).expect("writable");
        std::fs::write(path, text).expect("writable");
    };
    put("include/list.h", "struct list { int head; struct list *next; };\nint sum(const struct list *);\n");
    let list = "#include \"list.h\"\nstatic int twice(int x) { return SCALE * x; }\n\
        int sum(const struct list *l) { return l ? twice(l->head) + sum(l->next) : 0; }\n";
    put("lib/list.c", list);
    let main = |head: &str| {
        format!(
            "#include <stdio.h>\n#include \"list.h\"\nstatic int twice = {head};\n\
             int main(void) {{ struct list l = {{ twice, 0 }}; printf(\"%d\\n\", sum(&l)); return 0; }}\n"
        )
    };
    put("one.c", &main("3"));
    put("two.c", &main("4"));
}

fn database(plumb: &Plumb, entries: &str) -> String {
    let text = entries.replace("DIR", &plumb.dir().join("project").display().to_string());
    plumb.file("project/compile_commands.json", text).display().to_string()
}

#[test]
fn a_compilation_database_is_programs_of_several_files() {
    let plumb = Plumb::new();
    project(&plumb);
    let database = database(
        &plumb,
        r#"[{"directory": "DIR", "file": "one.c", "command": "cc -O2 -Iinclude -o one.o -c one.c"},
            {"directory": "DIR", "file": "two.c", "arguments": ["cc", "-I", "include", "-c", "two.c"]},
            {"directory": "DIR/lib", "file": "list.c", "command": "cc -I../include -DSCALE=2 -c list.c"}]"#,
    );
    let args = ["hunt", "--json", "--from", &database, "--cc", "gcc", "--levels", "-O0,-O2", "--drawn", "0"];
    let done = plumb.run(&args);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let all = lines(&done.stdout);
    let summary = all.last().expect("a summary");
    assert_eq!(
        (summary["tested"].as_u64(), summary["results"]["pass"].as_u64()),
        (Some(2), Some(4)),
        "{summary}"
    );
    let names: Vec<&str> = all.iter().filter_map(|line| line["name"].as_str()).collect();
    assert!(names.iter().any(|name| name.ends_with("one.c with 1 file more")), "{names:?}");
}

#[test]
fn a_wrong_compiler_is_found_by_a_program_of_several_files() {
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs/calc");
    std::fs::create_dir_all(&dir).expect("writable");
    let put = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("writable");
    put("calc.h", "unsigned below(unsigned, unsigned);\n");
    put(
        "calc.c",
        "#include \"calc.h\"\nstatic unsigned calls;\nunsigned below(unsigned a, unsigned b) { calls++; return a < b; }\n",
    );
    put(
        "main.c",
        "#include \"calc.h\"\nstatic int calls = 1;\nint main(int n, char **v) { (void)v; return below(n, n) + calls - 1; }\n",
    );
    // Canaries leave units to gcc: this one translates unsigned 'below' as 'below or equal' there.
    let wrapper = plumb.script(
        "cc-wrong",
        r#"#!/bin/sh
case " $* " in *" -c "*) ;; *) exec gcc "$@" ;; esac
while [ $# -gt 0 ]; do
  case $1 in
    -o) output=$2; shift ;;
    *.c) source=$1 ;;
    *) options="$options $1" ;;
  esac
  shift
done
gcc $options -S "$source" -o "$output.1.s" || exit
sed -E 's/^(\tset)b(\t| )/\1be\2/' <"$output.1.s" >"$output.2.s"
gcc -c "$output.2.s" -o "$output"
"#,
    );
    let wrapper = wrapper.display().to_string();
    let args = ["hunt", "--json", "--from", "programs", "--cc", &wrapper, "--levels", "-O0", "--drawn", "0"];
    let done = plumb.run(&args);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let all = lines(&done.stdout);
    let finding = &all[0]["findings"][0];
    assert_eq!(finding["kind"], "wrong-code", "{finding}");
    let dir = plumb.store().join("findings").join(finding["id"].as_str().expect("an id"));
    assert!(dir.join("unit-0.c").is_file() && dir.join("unit-1.c").is_file());
    let shown = common::shell(&["sh", &dir.join("repro.sh").display().to_string()]);
    assert_eq!(shown.code, 1, "{}{}", shown.stdout, shown.stderr);
    let merged = std::fs::read_to_string(dir.join("program.c")).expect("the merged program");
    assert!(merged.contains("calls_1"), "{merged}");
}

#[test]
fn a_wrong_compilation_database_is_one_line() {
    let plumb = Plumb::new();
    project(&plumb);
    for (text, wanted) in [
        ("{}", "not a compilation database"),
        ("[]", "it names no .c or .i file"),
        (r#"[{"directory": "DIR", "file": "one.c"}]"#, "command 1: it has neither `arguments` nor `command`"),
        (
            r#"[{"directory": "DIR", "file": "one.c", "command": "cc 'x"}]"#,
            "command 1: `cc 'x` is not well quoted",
        ),
        (
            r#"[{"directory": "DIR/lib", "file": "list.c", "command": "cc -c list.c"}]"#,
            "none of its files defines main",
        ),
    ] {
        let database = database(&plumb, text);
        let done = plumb.run(&["hunt", "--from", &database, "--cc", "gcc"]);
        assert_eq!(done.code, 2, "{text}: {}{}", done.stdout, done.stderr);
        assert!(done.stderr.contains(wanted), "{text}: {}", done.stderr);
        assert_eq!(done.stderr.trim_end().lines().count(), 1, "{}", done.stderr);
    }
    let done = plumb.run(&["hunt", "--from", "missing/compile_commands.json", "--cc", "gcc"]);
    assert_eq!((done.code, done.stderr.trim_end().lines().count()), (2, 1), "{}", done.stderr);
}

#[test]
fn programs_in_older_c_are_tested_by_compilers_that_refuse_them_by_default() {
    use std::os::unix::fs::PermissionsExt;
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    let text = "add(a, b) { return a + b; }\nint main() { return add(1, 2) + helper(3); }\nhelper(n) { return n; }\n";
    std::fs::write(dir.join("old.c"), text).expect("writable");
    // gcc 12 as strict as those from 14 on; what it says to the option for that is a warning.
    let strict = plumb.dir().join("strict-gcc");
    let script = "#!/bin/sh\ncase \" $* \" in *\" -fpermissive \"*) exec gcc \"$@\" ;; esac\n\
        exec gcc -Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion \"$@\"\n";
    std::fs::write(&strict, script).expect("writable");
    std::fs::set_permissions(&strict, std::fs::Permissions::from_mode(0o755)).expect("set");
    let compiler = strict.to_str().expect("text");
    let args =
        ["hunt", "--json", "--from", "programs", "--cc", compiler, "--levels", "-O0,-O2", "--drawn", "0"];
    let done = plumb.run(&args);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["results"]["pass"], 2, "{summary}");
}

#[test]
fn each_compiler_reads_a_program_with_its_own_headers() {
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    let text = "#ifdef OTHER\nextern int for_the_other;\n#else\nextern int for_the_first;\n#endif\n\
        #include <stdio.h>\nint main(void) { printf(\"4\\n\"); return 0; }\n";
    std::fs::write(dir.join("reads.c"), text).expect("writable");
    // gcc with a macro of its own, which refuses what is meant for another.
    let script = "#!/bin/sh\nfor word; do case $word in *.c)\n\
        if grep -q for_the_first \"$word\"; then echo \"$word:1: error: not for me\" >&2; exit 1; fi\n\
        esac; done\nexec gcc -DOTHER \"$@\"\n";
    let other = plumb.script("other-cc", script).display().to_string();
    let args = ["hunt", "--json", "--from", "programs", "--cc", "gcc", "--cc", &other];
    let done = plumb.run(&[&args[..], &["--levels", "-O0,-O2", "--drawn", "0"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["results"]["pass"], 4, "{summary}");
}

#[test]
fn variants_lack_what_headers_declare_and_they_do_not_need() {
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    let text = "#include <stdio.h>\nint n = 3;\n\
        int main(void) { for (int i = 0; i < n; i++) if (i & 1) printf(\"%d\\n\", i); return 0; }\n";
    std::fs::write(dir.join("reads.c"), text).expect("writable");
    // gcc whose own headers lack a function, and which refuses those of others for it.
    let script = "#!/bin/sh\nfor word; do case $word in *.c)\n\
        if grep -q tmpnam_r \"$word\"; then echo \"$word:1: error: not for me\" >&2; exit 1; fi\n\
        esac; done\nexec gcc -U_DEFAULT_SOURCE \"$@\"\n";
    let other = plumb.script("other-cc", script).display().to_string();
    let args =
        ["hunt", "--json", "--from", "programs", "--cc", "gcc", "--cc", &other, "--strategy", "hermes"];
    let done = plumb.run(&[&args[..], &["--variants", "4", "--levels", "-O0", "--drawn", "0"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert!(summary["variants"]["hermes"].as_u64() > Some(0), "{summary}");
    assert_eq!(summary["results"]["pass"].as_u64(), summary["tested"].as_u64().map(|n| 2 * n), "{summary}");
}

#[test]
fn constructs_that_a_compiler_refuses_are_left_out() {
    let plumb = Plumb::new();
    // gcc without vectors and `_Generic`.
    let script = "#!/bin/sh\nfor word; do case $word in *.c)\n\
        if grep -qE 'vector_size|_Generic' \"$word\"; then echo \"$word:1: error: what is that?\" >&2; exit 1; fi\n\
        esac; done\nexec gcc \"$@\"\n";
    let small = plumb.script("small-cc", script).display().to_string();
    let args = ["hunt", "--json", "--cc", &small, "--levels", "-O0", "--drawn", "0", "--programs", "20"];
    let done = plumb.run(&args);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("small-cc refuses: generic, vectors"), "{}", done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["results"]["pass"], 20, "{summary}");
    // What the command line names is kept, and then most programs are refused.
    let named = plumb.run(&[args.as_slice(), &["--vectors", "--store", "named"]].concat());
    assert!(named.stderr.contains("small-cc refuses: generic\n"), "{}", named.stderr);
    let summary = lines(&named.stdout).pop().expect("a summary");
    assert!(summary["results"]["inconclusive"].as_u64() > Some(4), "{summary}");
}
