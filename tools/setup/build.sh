# Configures and builds a preset, one call at a time. Sourced by ./weft, ./test and bench/run with
# $root set; every function may be called from any directory and changes none.

source "$root/tools/setup/progress.sh"
source "$root/tools/setup/packages.sh"

# Held until release_lock: two first calls must not build over each other.
take_lock() {
    mkdir -p "$root/build/log" 2>/dev/null || true
    { exec 9>"$root/build/.lock"; } 2>/dev/null ||
        stop "cannot write to $root/build" \
            "it may belong to root: sudo chown -R $(id -un) '$root/build'"
    if ! flock -n 9; then
        show "another ./weft or ./test is building here; waiting for it"
        [ "$live_line" ] || say "another ./weft or ./test is building here; waiting for it"
        flock 9
    fi
}

# Called as root in somebody else's tree (sudo ./weft), what was made is theirs.
release_lock() {
    if [ "$EUID" -eq 0 ] && [ "$(stat -c %u "$root")" -ne 0 ]; then
        chown -R --reference="$root" "$root/build"
    fi
    exec 9>&-
}

# The first clang++ of at least version 19.
compiler() {
    local name
    for name in clang++-19 clang++; do
        if command -v "$name" >/dev/null && [ "$("$name" -dumpversion | cut -d. -f1)" -ge 19 ]; then
            echo "$name"
            return
        fi
    done
    return 1
}

# As many compilers as cores, but one a gigabyte: a big coroutine file takes most of one.
job_count() {
    local jobs memory
    jobs=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1000000) }' /proc/meminfo 2>/dev/null || echo 1)
    [ "${memory:-1}" -ge 1 ] || memory=1
    echo "${CMAKE_BUILD_PARALLEL_LEVEL:-$((jobs < memory ? jobs : memory))}"
}

# configure PRESET [OPTION...]: only when it never was, when the presets changed, or the tree moved.
configure() {
    local preset=$1 folder="$root/build/$1" log="$root/build/log/$1-configure.log" options=() cxx
    shift
    if [ -f "$folder/build.ninja" ] &&
        grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        [ "$root/CMakePresets.json" -nt "$folder/.configured" ] || return 0
    else
        options=(--fresh)
    fi
    show "configuring ($preset)"
    cxx=$(compiler) ||
        stop "there is no clang++ 19 or newer" "on Debian 12: apt-get install clang-19"
    options+=(--preset "$preset" -DCMAKE_CXX_COMPILER="$cxx" "$@")
    mkdir -p "$folder"
    if (cd "$root" && cmake "${options[@]}") >"$log" 2>&1 </dev/null 9>&-; then
        touch "$folder/.configured"
        return 0
    fi
    forget_packages
    say "error: configuring the '$preset' preset failed"
    errors_in "$log" | say_lines
    say "  a library that is not found: is its package in packages/build.txt?"
    say "  whole log: $log"
    return 1
}

# build PRESET WHAT TARGET...: WHAT is for the reader ("weft", "all tests").
build() {
    local preset=$1 what=$2 began=$SECONDS log="$root/build/log/$1-build.log"
    shift 2
    show "building $what ($preset)"
    [ "$live_line" ] || say "building $what ($preset; log: ${log#"$root/"})"
    if ninja_in "$root/build/$preset" "$@" | tee "$log" | show_ninja; then
        [ $((SECONDS - began)) -lt 2 ] || say "built $what ($preset) in $(seconds_since "$began")"
        return 0
    fi
    forget_packages
    explain_build_failure "$log" "$what ($preset)"
    return 1
}

ninja_in() {
    local folder=$1
    shift
    NINJA_STATUS='[%f/%t] ' ninja -C "$folder" -j "$(job_count)" "$@" 2>&1 </dev/null 9>&-
}

# Ninja's lines, with files in place of objects: "building src/base/hash.cpp".
show_ninja() {
    local line what
    quarter_told=0
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*)$ ]] || continue
        what=${BASH_REMATCH[3]}
        case $what in
            'Building CXX object '*)
                what="building ${what#Building CXX object }"
                what=${what/CMakeFiles\/*.dir\//}
                what=${what%.o}
                ;;
            'Linking '*) what="linking ${what##* }" ;;
        esac
        advance "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$what"
    done
    wipe
}

# What each failed command printed, without the command; of cmake its errors.
errors_in() {
    awk '/^FAILED: / { on = 1; command = 1; print; next }
         /^CMake Error/ { on = 1 }
         /^\[[0-9]+\/[0-9]+\] / || /^ninja: build stopped/ || /^-- / { on = 0 }
         command { command = 0; next }
         (on && NF || /^ninja: error/) && ++count <= 40' "$1"
}

explain_build_failure() {
    local log=$1 what=$2
    say "error: building $what failed"
    errors_in "$log" | say_lines
    if grep -q 'unable to execute command: Killed\|out of memory' "$log"; then
        say "  the compiler ran out of memory; with CMAKE_BUILD_PARALLEL_LEVEL=1 it works alone"
    elif grep -q 'No space left on device' "$log"; then
        say "  the disk is full: free some space, then start again"
    else
        say "  mend the first error above, then start again; what is built stays built"
    fi
    say "  whole log: $log"
}
