# What the canaries share: a real gcc whose assembly output is changed by `plant`, a filter that each canary defines.
# Sourced, not run. A canary is called as gcc is; anything but compiling C to a program is left to gcc.

REAL=${CANARY_CC:-gcc}

# Sets $source and $output from the arguments, leaves the other options in $options.
source= output=a.out options=
parse() {
  while [ $# -gt 0 ]; do
    case $1 in
      -o) output=$2; shift ;;
      *.c) source=$1 ;;
      *) options="$options $1" ;;
    esac
    shift
  done
}

# Compiles, with `plant` between compiler and assembler.
compile() {
  asm=$(mktemp "${TMPDIR:-/tmp}/canary-XXXXXX") || exit 1
  trap 'rm -f "$asm" "$asm.s"' EXIT
  # shellcheck disable=SC2086
  "$REAL" $options -S "$source" -o "$asm" || exit
  plant <"$asm" >"$asm.s"
  # shellcheck disable=SC2086
  "$REAL" "$asm.s" -o "$output" $options
}

# CANARY_PLAIN=1: it calls itself no gcc, so that nobody looks for passes in it.
case "$CANARY_PLAIN $* " in
  1*" --version "* | 1*" -v "*) echo "plain compiler 1.0"; exit ;;
esac
# UNITS=1: it plants in units that are compiled for themselves, too. Linking is left to gcc.
case "$UNITS $* " in
  1*" -c "*) ;;
  *" -c "*) exec "$REAL" "$@" ;;
esac
case " $* " in
  *" -E "* | *" -S "* | *" --version "* | *" -v "* | *" -dumpmachine "* | *" -Q "* | *" -print-"* | *" -flto "*) exec "$REAL" "$@" ;;
  *.c\ *) parse "$@" ;;
  *) exec "$REAL" "$@" ;;
esac
