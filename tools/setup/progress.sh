# How a step says what it does: one line that changes on a terminal, a few plain lines elsewhere.
# All of it on standard error, so that the program's own output stays clean. Sourced, not run.

[ -t 2 ] && live_line=yes || live_line=
line_width=80
if [ "$live_line" ]; then
    size=$(stty size <&2 2>/dev/null) && [ "${size#* }" -gt 20 ] && line_width=${size#* }
fi

trap 'wipe; exit 130' INT
trap 'wipe; exit 143' TERM

# A line that stays.
say() {
    wipe
    printf 'weft: %s\n' "$*" >&2
}

# Text under a line that stays, as it is (from standard input).
say_lines() {
    wipe
    sed 's/^/    /' >&2
}

# The line that changes; shown only on a terminal.
show() {
    [ "$live_line" ] || return 0
    local text="weft: $*"
    printf '\r\033[K%s' "${text:0:line_width-1}" >&2
}

wipe() {
    if [ "$live_line" ]; then printf '\r\033[K' >&2; fi
}

# advance AT TOTAL WHAT: progress of a step with a known number of parts. Away from a terminal a
# line each quarter of the way, and none for small steps.
quarter_told=0
advance() {
    local at=$1 total=$2 what=$3
    if [ "$live_line" ]; then
        printf -v at "%${#total}d" "$at"
        show "[$at/$total] $what"
    elif [ "$total" -ge 12 ] && [ "$at" -lt "$total" ] &&
        [ $((at * 4 / total)) -gt "$quarter_told" ]; then
        quarter_told=$((at * 4 / total))
        say "  $((at * 100 / total))%"
    fi
}

# stop WHAT WHAT_TO_DO...: the end of a failed step.
stop() {
    say "error: $1"
    shift
    for line in "$@"; do say "  $line"; done
    exit 1
}

seconds_since() {
    echo "$((SECONDS - $1)) s"
}
