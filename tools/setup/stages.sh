# The stages of ./test: each builds what it needs, runs it and adds to the totals. Sourced after
# build.sh; a stage that cannot be built counts as one failure and the next one goes on.

passed_total=0 failed_total=0 skipped_total=0
stage_times=()

# stage NAME FUNCTION [ARGUMENT...]
stage() {
    local name=$1 began=$SECONDS status=0
    shift
    "$@" || status=$?
    stage_times+=("$name $(seconds_since "$began")")
    [ "$status" -eq 0 ] || say "stage '$name' failed"
}

# count PASSED FAILED SKIPPED
count() {
    passed_total=$((passed_total + $1))
    failed_total=$((failed_total + $2))
    skipped_total=$((skipped_total + $3))
}

# One check that either holds or does not.
count_check() {
    if [ "$1" -eq 0 ]; then count 1 0 0; else count 0 1 0; fi
    return "$1"
}

close_stages() {
    local joined skipped=
    printf -v joined '%s, ' "${stage_times[@]}"
    say "time: ${joined%, }"
    [ "$skipped_total" -eq 0 ] || skipped=", $skipped_total skipped"
    wipe
    echo "$passed_total passed, $failed_total failed$skipped"
    [ "$failed_total" -eq 0 ]
    exit
}

# build_stage PRESET WHAT TARGET...
build_stage() {
    local preset=$1 status=0
    take_lock
    ensure_packages build
    configure "$preset" && touch "$root/build/$preset/weft.built.new" && build "$@" || status=$?
    if [ "$status" -eq 0 ] && [ "$preset" = release ]; then
        mv "$root/build/release/weft.built.new" "$root/build/release/weft.built"
    fi
    release_lock
    [ "$status" -eq 0 ] || count_check 1
}

# run_tests PRESET [OPTION of tools/run-tests...]
run_tests() {
    local preset=$1 totals="$root/build/log/$1-totals" status=0
    shift
    rm -f "$totals"
    "$root/tools/run-tests" "$root/build/$preset" --totals "$totals" "$@" || status=$?
    if [ -f "$totals" ]; then count $(<"$totals"); else count 0 1 0; fi
    return "$status"
}

# Peers that cannot be had are no reason to check nothing: their tests say that they were skipped.
ensure_peers() {
    take_lock
    ensure_packages build
    (ensure_packages peers) || say "going on without: tests that miss a peer are skipped"
    ensure_npm_packages
    release_lock
}

run_release() {
    rm -f "$root/build/release/weft.built"
    build_stage release "everything" all || return
    run_tests release "$@"
}

# Tests that are no C++ of ours (ctest label `once`) say nothing new under a sanitizer.
run_asan() {
    build_stage asan "everything" all || return
    run_tests asan --without-label once
}

run_tsan() {
    build_stage tsan "tests with threads" threads_tests || return
    run_tests tsan --label threads
}

check_headers() {
    build_stage release "every header alone" all_verify_interface_header_sets || return
    count_check 0
}

check_format() {
    local status=0 formatter
    formatter=$(command -v clang-format-19 || command -v clang-format || echo clang-format-19)
    (cd "$root" && git -c safe.directory='*' ls-files -z '*.h' '*.cpp' |
        xargs -0 "$formatter" --dry-run -Werror) || status=1
    [ "$status" -eq 0 ] || say "'${formatter##*/} -i' on these files puts them right"
    count_check "$status"
}

check_tidy() {
    local status=0
    "$root/tools/tidy" || status=1
    count_check "$status"
}
