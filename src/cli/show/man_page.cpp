#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "cli/options/option_row.h"
#include "cli/show/generated_files.h"

namespace weft::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

// Escapes text for roff: no line may begin like a request, and a dash must stay a hyphen-minus.
std::string roff(std::string_view text) {
    std::string out;
    bool is_start = true;
    for (const char c : text) {
        if (is_start && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
        is_start = c == '\n';
    }
    return out;
}

void add_option(Out out, const OptionRow& row) {
    std::string names;
    for (const std::string& name : row.names) {
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    }
    if (!row.maybe_value.empty()) names += fmt::format("[\\fB=\\fI{}\\fR]", roff(row.maybe_value));
    if (!row.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(row.value));
    fmt::format_to(out, ".TP\n{}\n{}\n", names, roff(row.what));
}

// In the groups of --help, and in their order.
void add_options(Out out, const CLI::App& command) {
    const std::vector<OptionRow> rows = option_rows(command);
    std::vector<std::string> groups;
    for (const OptionRow& row : rows) {
        if (std::ranges::find(groups, row.group) == groups.end()) groups.push_back(row.group);
    }
    for (const std::string& group : groups) {
        // The first group has no heading.
        if (group == groups.front()) {
            fmt::format_to(out, ".PP\n");
        } else {
            fmt::format_to(out, ".PP\n\\fI{}\\fR\n", roff(group));
        }
        for (const OptionRow& row : rows) {
            if (row.group == group) add_option(out, row);
        }
    }
}

void add_command(Out out, const CommandRow& command) {
    std::string places;
    for (const OptionRow& row : option_rows(*command.app)) {
        if (!row.place.empty()) places += " \\fI" + roff(row.place) + "\\fR";
    }
    fmt::format_to(out, ".SS \"weft {}\"\n.B weft {}\n[\\fIoptions\\fR]{}\n.PP\n{}.\n",
                   roff(command.name), roff(command.name), places,
                   roff(command.app->get_description()));
    add_options(out, *command.app);
    if (const std::string footer = command.app->get_footer(); !footer.empty()) {
        fmt::format_to(out, ".PP\n.nf\n{}\n.fi\n", roff(footer));
    }
}

// The part that does not depend on the table of options. The exit statuses are those of
// exit_status.h.
constexpr std::string_view kTail = R"(.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
an error of weft's own
.TP
.B 2
wrong options or configuration
.TP
.B 3
a file, a full disk, a lock: the crawl can be resumed
.TP
.B 4
no seed could be reached
.TP
.B 5
a certificate is not to be trusted
.TP
.B 6
credentials are wanted
.TP
.B 7
what came was not HTTP
.TP
.B 8
broken links (check, or crawl \-\-fail\-on broken); an error status (fetch)
.TP
.B 11
the first signal: what was under way was finished and kept
.TP
.B 13
the second signal
.TP
.B 14
a limit of pages or bytes
.TP
.B 15
a limit of time
.TP
.B 16
the reader of \-\-to \- went away: the crawl can be resumed
.SH FILES
Options that are not typed come from these files, the later wins; each option is a key of the same
name, at the top or in a table named after the command.
.TP
.I /etc/weft/weft.toml
of the system
.TP
.I ~/.config/weft/weft.toml
of the user ($XDG_CONFIG_HOME counts)
.TP
.I DIR/state/crawl.toml
the options a crawl was begun with
.SH ENVIRONMENT
.TP
.B WEFT_CONFIG
one more file of options
.TP
.B WEFT_*
every option: WEFT_MAX_PER_HOST is \-\-max\-per\-host
.TP
.B NO_COLOR
no colours, unless \-\-color always is given
.TP
.BR http_proxy ", " https_proxy ", " all_proxy
the way to hosts, unless \-\-proxy is given
.TP
.B no_proxy
hosts to ask without a proxy, unless \-\-noproxy is given
.TP
.BR SSL_CERT_FILE ", " SSL_CERT_DIR
authorities to trust in place of the system's
.TP
.B SSLKEYLOGFILE
a file to add the secrets of TLS sessions to, for Wireshark
.TP
.B NETRC
the file of users and passwords, with \-\-netrc
.SH EXAMPLES
.nf
weft demo
weft crawl \-\-depth 2 \-\-output ./archive https://example.com/
weft resume ./archive
weft report \-\-format html \-\-output report.html ./archive
weft explain ./archive https://example.com/missing.html
weft check http://localhost:8000/
.fi
)";

}  // namespace

std::string make_man_page(const CLI::App& app) {
    std::string text;
    const Out out = std::back_inserter(text);
    fmt::format_to(out,
                   ".TH WEFT 1 \"\" \"weft {}\" \"User Commands\"\n.SH NAME\n"
                   "weft \\- crawl web sites, archive them, check their links\n"
                   ".SH SYNOPSIS\n.B weft\n\\fIcommand\\fR [\\fIoptions\\fR] ...\n"
                   ".SH DESCRIPTION\n{}\n.SH OPTIONS\nOf every command.\n",
                   WEFT_VERSION, roff(app.get_description()));
    add_options(out, app);
    fmt::format_to(out, ".SH COMMANDS\n");
    for (const CommandRow& command : command_rows(app)) add_command(out, command);
    text += kTail;
    return text;
}

}  // namespace weft::cli
