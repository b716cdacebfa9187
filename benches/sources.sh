# Sourced by what measures on real programs: the sources that crates bundle, fetched once, and where they lie; the reading
# of options; and which exit codes are no failure.

# options LAST 'NAMES' "$@": sets the variable NAME for every `--NAME VALUE`; for anything else shows the script's lines
# from the second to LAST.
options() {
    last=$1 names=" $2 "
    shift 2
    while [ $# -gt 0 ]; do
        name=${1#--}
        case "$#$names" in
            '1 '*) name='' ;;
            *" $name "*) ;;
            *) name='' ;;
        esac
        [ -n "$name" ] || { sed -n "2,${last}s/^# \{0,1\}//p" "$0" >&2; exit 2; }
        eval "$name=\$2"
        shift 2
    done
}

# ending_with 'CODES' COMMAND...: runs the command; fails, and says so, if it ends with an exit code that is not among these.
ending_with() {
    codes=" $1 "
    shift
    code=0
    "$@" || code=$?
    case $codes in
        *" $code "*) ;;
        *) echo "exit code $code instead of one of$codes: $*" >&2; return 1 ;;
    esac
}

# release_dir: where cargo puts what it builds for release; the repository is $here.
release_dir() {
    (cd "$here" && cargo metadata --no-deps --format-version 1) |
        python3 -c 'import json,sys; print(json.load(sys.stdin)["target_directory"] + "/release")'
}

# words_of PROJECT: the C files of a project and what they need of the preprocessor, one word a line.
words_of() {
    case $1 in
        sqlite3) printf '%s\n' "$(source_of libsqlite3-sys)/sqlite3/sqlite3.c" ;;
        zlib) printf '%s\n' -DHAVE_UNISTD_H=1 "$(source_of libz-sys)"/src/zlib/*.c ;;
        lua)
            dir=$(ls -d "$(source_of lua-src)"/lua-5.4.*)
            ls "$dir"/*.c | grep -v -e '/lua\.c$' -e '/luac\.c$'
            ;;
        bzip2)
            dir=$(ls -d "$(source_of bzip2-sys)"/bzip2-1*)
            for f in blocksort huffman crctable randtable compress decompress bzlib; do
                printf '%s\n' "$dir/$f.c"
            done
            ;;
        zstd)
            dir=$(source_of zstd-sys)/zstd/lib
            printf '%s\n' "-I$dir" -DZSTD_DISABLE_ASM=1 "$dir"/common/*.c "$dir"/compress/*.c "$dir"/decompress/*.c
            ;;
        lz4) ls "$(source_of lz4-sys)"/liblz4/lib/*.c ;;
        libdeflate) dir=$(source_of libdeflate-sys)/libdeflate; printf '%s\n' "-I$dir"; find "$dir/lib" -name '*.c' ;;
        mimalloc)
            dir=$(source_of libmimalloc-sys)/c_src/mimalloc/v2
            printf '%s\n' "-I$dir/include" "$dir/src/static.c"
            ;;
        tree-sitter)
            dir=$(source_of tree-sitter)
            printf '%s\n' "-I$dir/src" "-I$dir/include" -D_GNU_SOURCE "$dir/src/lib.c"
            ;;
        secp256k1)
            dir=$(source_of secp256k1-sys)/depend/secp256k1
            printf '%s\n' "-I$dir" "-I$dir/src" "-I$dir/include" -DECMULT_WINDOW_SIZE=15 -DECMULT_GEN_PREC_BITS=4 \
                -DENABLE_MODULE_RECOVERY=1 -DENABLE_MODULE_SCHNORRSIG=1 -DENABLE_MODULE_EXTRAKEYS=1 \
                "$dir/src/secp256k1.c" "$dir/src/precomputed_ecmult.c" "$dir/src/precomputed_ecmult_gen.c"
            ;;
        webp) dir=$(source_of libwebp-sys)/vendor; printf '%s\n' "-I$dir"; find "$dir" -name '*.c' ;;
        pcre2)
            dir=$(source_of pcre2-sys)
            printf '%s\n' "-I$dir/upstream/include" "-I$dir/upstream/src" "-I$dir/upstream/deps" -DPCRE2_CODE_UNIT_WIDTH=8 -DHAVE_STDLIB_H=1 \
                -DHAVE_MEMMOVE=1 -DHAVE_CONFIG_H=1 -DPCRE2_STATIC=1 -DSTDC_HEADERS=1 -DSUPPORT_PCRE2_8=1 -DSUPPORT_UNICODE=1
            ls "$dir"/upstream/src/pcre2_*.c | grep -v -e jit_ -e pcre2_dftables -e fuzzsupport -e pcre2_ucptables -e pcre2_printint -e posix
            ;;
        *) echo "no such project: $1" >&2; exit 2 ;;
    esac
}

# fetch_sources DIR 'NAME = "=VERSION"'...: fetches these crates; DIR is a directory of the caller's.
fetch_sources() {
    fetched=$1
    shift
    mkdir -p "$fetched/fetch/src"
    {
        printf '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n'
        printf '%s\n' "$@"
    } > "$fetched/fetch/Cargo.toml"
    : > "$fetched/fetch/src/lib.rs"
    cargo fetch --quiet --manifest-path "$fetched/fetch/Cargo.toml"
    cargo metadata --format-version 1 --manifest-path "$fetched/fetch/Cargo.toml" > "$fetched/metadata.json"
}

# source_of NAME: the directory of a fetched crate.
source_of() {
    python3 -c 'import json,os,sys
for p in json.load(open(sys.argv[1]))["packages"]:
    if p["name"] == sys.argv[2]: print(os.path.dirname(p["manifest_path"]))' "$fetched/metadata.json" "$1"
}

SQLITE='libsqlite3-sys = "=0.38.2"'
ZLIB='libz-sys = "=1.1.31"'
LUA='lua-src = "=551.1.0"'
BZIP2='bzip2-sys = "=0.1.13"'
ZSTD='zstd-sys = "=2.1.2"'
LZ4='lz4-sys = "=1.11.1"'
DEFLATE='libdeflate-sys = "=1.26.1"'
MIMALLOC='libmimalloc-sys = "=0.1.49"'
TREE_SITTER='tree-sitter = "=0.27.1"'
SECP256K1='secp256k1-sys = "=0.14.1"'
WEBP='libwebp-sys = "=0.14.4"'
PCRE2='pcre2-sys = "=0.2.10"'
ALL_SOURCES="$SQLITE
$ZLIB
$LUA
$BZIP2
$ZSTD
$LZ4
$DEFLATE
$MIMALLOC
$TREE_SITTER
$SECP256K1
$WEBP
$PCRE2"
