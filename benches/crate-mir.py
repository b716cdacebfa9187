#!/usr/bin/env python3
"""Makes the Machine IR of every C file that a crate bundles, with the options its build script gives them.

usage: benches/crate-mir.py CRATE[=VERSION][/FEATURE] DIR --cc clang-19 --levels '0 2' [--words '-march=x86-64-v3']
                            [--ir [--inline]]

The crate is fetched and built by cargo with a compiler that also writes DIR/O0/NAME.mir, DIR/O2/NAME.mir and so on for
each C file: what LLVM's instruction selection was given and what it made. Levels and debug information of the build are
left out; everything else (include directories, definitions, -m options) is kept. With --ir also DIR/ir/NAME.ll, what the
optimiser is given at -O1, which may not inline without --inline. Prints the crate's version, how many
files were translated, and by name those that were not.
"""
import argparse, json, os, pathlib, subprocess, sys

WRAPPER = r'''#!/usr/bin/env python3
import fcntl, os, pathlib, subprocess, sys
words, out, levels, cc = sys.argv[1:], pathlib.Path(os.environ["MIR_DIR"]), os.environ["MIR_LEVELS"].split(), os.environ["MIR_CC"]
# What CMake, autoconf and the crate `cc` compile to find out what the compiler can do is not the crate's.
probe = "/CMakeFiles/" in os.getcwd() + "/"
asks = lambda w: "/CMakeFiles/" in w or pathlib.Path(w).name in ("conftest.c", "flag_check.c")
files = [w for w in words if w.endswith(".c") and not w.startswith("-") and not probe and not asks(w)]
done = subprocess.run([cc] + words)
if "-c" in words and files and done.returncode == 0:
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif word in files or word in ("-c", "-MD", "-MMD", "-MP") or word.startswith(("-O", "-g", "-W")):
            pass
        else:
            kept.append(word)
    for file in files:
        with open(out / "names", "a+") as names:
            fcntl.flock(names, fcntl.LOCK_EX)
            names.seek(0)
            taken = names.read().split("\n")
            stem, n = pathlib.Path(file).stem, 2
            name = stem
            while name in taken:
                name, n = f"{stem}-{n}", n + 1
            names.write(name + "\n")
        if os.environ["MIR_IR"]:
            inline = "-finline-functions" if os.environ["MIR_INLINE"] else "-fno-inline"
            subprocess.run([cc, "-S", "-emit-llvm", "-w", "-O1", inline, "-Xclang", "-disable-llvm-passes", *kept, "-o",
                            str(out / "ir" / f"{name}.ll"), file], capture_output=True)
        for level in levels:
            to = out / f"O{level}" / f"{name}.mir"
            made = subprocess.run([cc, "-S", f"-O{level}", "-w", *kept, *os.environ["MIR_WORDS"].split(), "-mllvm",
                                   "-stop-after=finalize-isel", "-o", str(to), file], capture_output=True, text=True)
            if made.returncode != 0:
                to.unlink(missing_ok=True)
                with open(out / "failed", "a") as failed:
                    failed.write(f"{file} -O{level}: {(made.stderr.strip().splitlines() or ['?'])[0]}\n")
sys.exit(done.returncode)
'''

flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
flags.add_argument("crate")
flags.add_argument("dir", type=pathlib.Path)
flags.add_argument("--cc", default="clang-19")
flags.add_argument("--levels", default="0 2")
flags.add_argument("--words", default="")
flags.add_argument("--ir", action="store_true")
flags.add_argument("--inline", action="store_true")
given = flags.parse_args()
crate, _, feature = given.crate.partition("/")
name, _, version = crate.partition("=")

out = given.dir.resolve()
(out / "src").mkdir(parents=True, exist_ok=True)
(out / "ir").mkdir(exist_ok=True)
for level in given.levels.split():
    (out / f"O{level}").mkdir(exist_ok=True)
features = f', features = ["{feature}"]' if feature else ""
(out / "Cargo.toml").write_text(f"""[package]
name = "made"
version = "0.0.0"
edition = "2021"

[dependencies]
{name} = {{ version = "{'=' + version if version else '*'}"{features} }}

[workspace]
""")
(out / "src" / "lib.rs").write_text("")
wrapper = out / "cc"
wrapper.write_text(WRAPPER)
wrapper.chmod(0o755)
own = {"CC": str(wrapper), "MIR_DIR": str(out), "MIR_LEVELS": given.levels, "MIR_CC": given.cc, "MIR_WORDS": given.words,
       "MIR_IR": "yes" * given.ir, "MIR_INLINE": "yes" * given.inline,
       "CARGO_TARGET_DIR": str(out / "target")}
# `check` runs build scripts, and spares the crate's own Rust.
built = subprocess.run(["cargo", "check", "--release", "--quiet"], cwd=out, env={**os.environ, **own}, capture_output=True, text=True)
if built.returncode != 0:
    sys.exit(f"crate-mir.py: {name} does not build:\n{built.stderr[-2000:]}")
told = subprocess.run(["cargo", "metadata", "--format-version", "1"], cwd=out, capture_output=True, text=True, check=True)
found = next(p["version"] for p in json.loads(told.stdout)["packages"] if p["name"] == name)
levels = given.levels.split()
made = sorted((out / f"O{levels[0]}").glob("*.mir") if levels else (out / "ir").glob("*.ll"))
if not made:
    sys.exit(f"crate-mir.py: the build of {name} {found} compiled no C file")
print(f"{name} {found}: {len(made)} files")
if (out / "failed").exists():
    print((out / "failed").read_text(), end="")
