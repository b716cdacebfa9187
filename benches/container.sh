#!/bin/sh
# deploy/container/Containerfile built by `buildah` and tried, without a registry of images.
#
# usage: benches/container.sh [DIR]
#
# As root, with a network that Debian's packages come from. Of the two images that the file names, `debian:12-slim` is made here with
# `debootstrap` (or of DIR, a root file system that is there already), and `rust:1-bookworm` is the same with a `cargo` that does
# not compile, but puts target/release/plumb where it would: the build in it is the one of every day. All else is done as the file
# says: its packages are installed, files copied, the user changed. Then the image compiles and hunts.
set -eu
cd "$(dirname "$0")/.."
[ -x target/release/plumb ] || { echo 'container.sh: first cargo build --release -p plumb' >&2; exit 1; }
work=$(mktemp -d)
images() { buildah --storage-driver vfs --root "$work/images" --runroot "$work/run" "$@"; }
trap 'images rm --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

root=${1:-$work/debian}
[ -d "$root/usr" ] || debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >/dev/null
base=$(images from scratch)
images add --quiet "$base" "$root" / >/dev/null
images commit --quiet --rm "$base" docker.io/library/debian:12-slim >/dev/null
printf '#!/bin/sh\nset -eu\n[ "$*" = "build --release --locked -p plumb" ] && [ -f Cargo.lock ] && [ -f crates/plumb/Cargo.toml ]\ninstall -D /built target/release/plumb\n' >"$work/cargo"
chmod +x "$work/cargo"
rust=$(images from docker.io/library/debian:12-slim)
images copy --quiet "$rust" "$work/cargo" /usr/bin/cargo >/dev/null
images copy --quiet "$rust" target/release/plumb /built >/dev/null
images commit --quiet --rm "$rust" docker.io/library/rust:1-bookworm >/dev/null

images bud --pull-never --isolation chroot --quiet --file deploy/container/Containerfile --tag plumb . >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
# What goes into an image beside the sources would be gigabytes.
made=$(images from plumb)
within() { images run --isolation chroot "$made" -- "$@"; }
[ "$(within id -u)" = 65534 ] || { echo 'container.sh: it is to be nobody' >&2; exit 1; }
within /usr/bin/plumb --version
within /usr/bin/plumb hunt --plain --cc gcc --cc clang-19 --levels=-O2 --programs 2 --store /tmp/store
echo 'container.sh: the image is built, and hunts'
