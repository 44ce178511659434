#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs what `make install` installed, and links a program with it, in a folder of its own.
# Usage: installcheck.sh VERSION BINDIR LIBDIR PKGCONFIGDIR SYSROOT
# SYSROOT is DESTDIR if the pkg-config file holds paths that lack it.
set -eu
version=$1 bin=$2 lib=$3 pc=$4 sysroot=$5
example=$(cd "$(dirname "$0")/.." && pwd)/docs/examples/path.c
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "installcheck: $*" >&2
    exit 1
}

# Programs that cannot be started in this environment are as good as not there.
for program in apsp apsp-cpu apsp-cuda-simple apsp-cuda-blocked apsp-cuda-sparse apsp-graphgen apsp-query apsp-verify; do
    said=$("$bin/$program" --version) || fail "$bin/$program does not run"
    case $said in
    *"$version"*) ;;
    *) fail "$program: expected version $version, found '$said'" ;;
    esac
done

"$bin/apsp-graphgen" --v 50 --density 20% --seed 1 -o graph.txt --quiet
for solver in apsp apsp-cpu; do
    "$bin/$solver" graph.txt -o result.txt --quiet
    "$bin/apsp-verify" result.txt -g graph.txt --quiet || fail "$solver: the result is not proved"
done

command -v pkg-config >/dev/null || fail "pkg-config is needed"
export PKG_CONFIG_PATH="$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
[ -z "$sysroot" ] || export PKG_CONFIG_SYSROOT_DIR="$sysroot"
[ "$(pkg-config --modversion apsp)" = "$version" ] || fail "pkg-config has another version"
printf '3 2\n0 1 4\n1 2 5\n' >small.txt
expected=$(printf '0\tat distance 0\n1\tat distance 4\n2\tat distance 9')
check() {
    found=$(LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$1" small.txt 0 2)
    [ "$found" = "$expected" ] || fail "$1: expected '$expected', found '$found'"
}
# shellcheck disable=SC2046 # words
${CC:-cc} "$example" $(pkg-config --cflags --libs apsp) -o shared
check ./shared
# shellcheck disable=SC2046 # words
${CC:-cc} "$example" $(pkg-config --cflags apsp) "$lib/libapsp.a" \
    $(pkg-config --static --libs apsp | sed 's/-lapsp\b//g') -o archive
check ./archive
echo "Installed programs and libraries of version $version work."
