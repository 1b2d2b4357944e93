# Debian packages from the lists in packages/: looked up always, installed only where missing.
# Sourced after progress.sh; wants $root.

# The names in packages/LIST.txt.
package_names() {
    sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$root/packages/$1.txt"
}

# Those of the list that are not installed, nor provided by another installed package.
missing_packages() {
    local format='${db:Status-Status} ${Package} ${Provides}\n'
    awk 'NR == FNR { if ($1 == "installed") for (i = 2; i <= NF; ++i) have[$i]; next }
         !($1 in have)' \
        <(dpkg-query -W -f "$format" | sed 's/ ([^)]*)//g; s/,//g') <(package_names "$1")
}

# ensure_packages LIST: returns when everything on the list is there, or says why not and exits.
# A stamp with the list's checksum spares the question until the list or dpkg's state changes.
ensure_packages() {
    local list=$1 stamp="$root/build/packages/$1.there" sum
    sum=$(cksum <"$root/packages/$list.txt")
    if [ -f "$stamp" ] && [ "$(<"$stamp")" = "$sum" ] &&
        [ ! /var/lib/dpkg/status -nt "$stamp" ]; then
        return
    fi
    mkdir -p "$root/build/packages"

    if ! command -v apt-get dpkg-query >/dev/null; then
        go_on_without_apt "$list"
    else
        local missing
        missing=$(missing_packages "$list")
        [ -z "$missing" ] || install_packages "$list" $missing
    fi
    echo "$sum" >"$stamp"
}

# The packages of packages/npm.txt, into build/npm. Nothing depends on them: where npm or its
# registry is missing, the tests that want them are skipped.
ensure_npm_packages() {
    local stamp="$root/build/packages/npm.there" log="$root/build/log/packages-npm.log" sum
    sum=$(cksum <"$root/packages/npm.txt")
    if [ -f "$stamp" ] && [ "$(<"$stamp")" = "$sum" ]; then return; fi
    mkdir -p "$root/build/packages" "$root/build/log" "$root/build/npm"
    show "installing packages of npm"
    if timeout 120 npm install --prefix "$root/build/npm" --no-audit --no-fund --fetch-retries=1 \
        --fetch-timeout=15000 $(package_names npm) >"$log" 2>&1 </dev/null 9>&-; then
        echo "$sum" >"$stamp"
    else
        say "npm could not bring what packages/npm.txt names; tests that want it are skipped"
        say "  whole log: $log"
    fi
}

# Forget what was looked up: after a failed build the next call asks dpkg again.
forget_packages() {
    rm -f "$root/build/packages/"*.there
}

install_packages() {
    local list=$1 began=$SECONDS log="$root/build/log/packages-$1.log"
    shift
    mkdir -p "$root/build/log"
    choose_root_command "$@"
    say "installing $# Debian packages of packages/$list.txt (log: ${log#"$root/"})"
    show "reading the package lists"
    apt_get update >"$log" 2>&1 || true  # The lists that are there may do; if not, install says so.
    without_services apt_get install --no-install-recommends "$@" 2>&1 |
        tee -a "$log" | show_apt || explain_apt_failure "$log" "$list"
    say "installed in $(seconds_since "$began")"
}

# Who may install: us as root, or sudo (which may ask for a password on a terminal).
choose_root_command() {
    as_root=()
    [ "$EUID" -ne 0 ] || return 0
    if command -v sudo >/dev/null; then
        as_root=(sudo)
        sudo -n true 2>/dev/null && return
        if [ -t 0 ] && [ -t 2 ]; then
            say "$# Debian packages are missing; sudo asks for your password to install them"
            sudo -v && return
        fi
    fi
    stop "$# Debian packages are missing and only root can install them" \
        "run this once as root (or get sudo), then start again:" \
        "  apt-get update && apt-get install --no-install-recommends $*"
}

# sudo drops the proxy and all descriptors from 3 on, so both are made behind it. Status lines (what
# show_apt reads) get a descriptor of their own: apt closes it for the packages' scripts.
apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
        bash -c 'exec apt-get "$@" 3>&1' apt-get -q -y \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o APT::Status-Fd=3 \
        -o Acquire::Retries=2 -o Acquire::http::Timeout=20 "$@" </dev/null 9>&-
}

# apt's machine-readable status: dlstatus:N:PERCENT:TEXT while fetching, then
# pmstatus:PACKAGE:PERCENT:TEXT while unpacking and setting up.
show_apt() {
    local kind name percent text
    quarter_told=0
    while IFS=: read -r kind name percent text; do
        case $kind in
            dlstatus) show "fetching packages: ${percent%%.*}%" ;;
            pmstatus) advance "${percent%%.*}" 100 "installing packages: $text" ;;
        esac
    done
}

explain_apt_failure() {
    local log=$1 list=$2 unreachable
    unreachable='Temporary failure|Could not (resolve|connect)|Unable to connect|[Tt]imed out'
    say "error: installing the packages of packages/$list.txt failed"
    awk -v reason="$unreachable" '
        /^W: / || /^E: Failed to fetch/ || /^(dl|pm)status:/ { next }
        ($0 ~ reason || /^E: / || /^dpkg: error/) && !told[$0]++ && ++count <= 6' "$log" | say_lines
    if grep -qE "$unreachable" "$log"; then
        say "  apt cannot reach its servers: check the network or http_proxy, then start again"
    elif grep -qE 'Unable to locate package|has no installation candidate' "$log"; then
        say "  this system's package lists do not have it; weft is made for Debian 12:"
        say "  check /etc/apt/sources.list* and the spelling in packages/$list.txt"
    elif grep -q 'dpkg was interrupted' "$log"; then
        say "  an earlier installation was cut short: as root, dpkg --configure -a, then again"
    elif grep -q 'Could not get lock' "$log"; then
        say "  another package manager is at work: wait for it, then start again"
    else
        say "  mend what apt complains about (often: apt-get -f install), then start again"
    fi
    say "  whole log: $log"
    exit 1
}

# Runs a command while packages' services may not start: policy-rc.d is what Debian's maintainer
# scripts ask. One that somebody else put there is left alone.
without_services() {
    local policy=/usr/sbin/policy-rc.d mark='# put here by weft while it installs test peers'
    if [ -e "$policy" ] && ! grep -qxF "$mark" "$policy"; then
        "$@"
        return
    fi
    (
        trap '"${as_root[@]}" rm -f "$policy"' EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM
        printf '#!/bin/sh\n%s\nexit 101\n' "$mark" | "${as_root[@]}" tee "$policy" >/dev/null
        "${as_root[@]}" chmod 755 "$policy"
        "$@"
    )
}

# Another distribution: say what is needed, go on if the tools are there; cmake judges the rest.
go_on_without_apt() {
    local list=$1 tool lacking=()
    if [ "$list" != build ]; then
        say "no apt-get here: tests that miss a peer of packages/$list.txt are skipped"
        return
    fi
    say "this is not Debian: weft needs what these Debian packages hold (packages/$list.txt):"
    grep -v '^#' "$root/packages/$list.txt" | sed '/^$/d' | say_lines
    compiler >/dev/null || lacking+=("clang++ 19 or newer")
    for tool in cmake ninja pkg-config python3; do
        command -v "$tool" >/dev/null || lacking+=("$tool")
    done
    [ ${#lacking[@]} -eq 0 ] || stop "missing: $(IFS=,; echo "${lacking[*]}" | sed 's/,/, /g')" \
        "install them with your system's package manager, then start again"
    say "compiler and tools are here; going on"
}
