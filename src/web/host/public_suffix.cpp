#include "web/host/public_suffix.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <libpsl.h>

#include "base/bytes.h"
#include "base/error.h"
#include "web/host/idna.h"
#include "web/host/ip_address.h"

namespace weft::web {
namespace {

// The host in the form that libpsl needs: lower case and ASCII. Empty if it is not a domain name.
std::string lookup_name(std::string_view host) {
    const bool is_ascii =
        std::ranges::all_of(host, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    std::string name = is_ascii ? to_lower(host) : domain_to_ascii(host).value_or("");
    const bool has_empty_label = name.empty() || name.starts_with('.') || name.ends_with('.') ||
                                 name.find("..") != std::string::npos;
    if (has_empty_label || name.starts_with('[') || ends_in_number(name)) return {};
    return name;
}

// The length of the dot at the end of the text; 0 if there is none. IDNA takes U+3002, U+FF0E and
// U+FF61 for dots too (UTS 46, section 4).
std::size_t dot_at_end(std::string_view text) {
    if (text.ends_with('.')) return 1;
    const bool is_wide =
        text.ends_with("\u3002") || text.ends_with("\uFF0E") || text.ends_with("\uFF61");
    return is_wide ? 3 : 0;
}

// The last `count` labels of `host`, or all of it if it has fewer.
std::string_view last_labels(std::string_view host, std::size_t count) {
    for (std::string_view before = host; !before.empty(); before.remove_suffix(1)) {
        if (dot_at_end(before) > 0 && --count == 0) return host.substr(before.size());
    }
    return host;
}

std::string_view without_trailing_dot(std::string_view host) {
    host.remove_suffix(dot_at_end(host));
    return host;
}

struct Labels {
    std::size_t in_name = 0;
    std::size_t in_suffix = 0;
};

// libpsl can only say whether a whole name is a suffix. So it is asked about ever shorter tails of
// the name, and the longest tail that is a suffix counts. Only counts are returned: the caller
// needs the labels as they are written in its own host.
Labels count_labels(const psl_ctx_t* list, const std::string& name, int type) {
    const auto count = [](const char* text) {
        return text == nullptr ? 0 : 1 + std::ranges::count(std::string_view(text), '.');
    };
    const char* tail = name.c_str();
    while (tail != nullptr && psl_is_public_suffix2(list, tail, type) == 0) {
        const std::size_t dot = std::string_view(tail).find('.');
        tail = dot == std::string_view::npos ? nullptr : tail + dot + 1;
    }
    return {.in_name = static_cast<std::size_t>(count(name.c_str())),
            .in_suffix = static_cast<std::size_t>(count(tail))};
}

Labels labels_of(const psl_ctx_t* list, std::string_view host, PublicSuffixList::Rules rules) {
    const std::string name = lookup_name(host);
    if (name.empty()) return {};
    const int type = rules == PublicSuffixList::Rules::icann ? PSL_TYPE_ICANN : PSL_TYPE_ANY;
    return count_labels(list, name, type);
}

}  // namespace

PublicSuffixList PublicSuffixList::load(const std::filesystem::path& path) {
    psl_ctx_t* list = psl_load_file(path.c_str());
    if (list == nullptr) {
        throw Error(
            fmt::format("cannot read the public suffix list {}; install the package "
                        "publicsuffix or name another file",
                        path.string()));
    }
    return PublicSuffixList(list);
}

std::string_view PublicSuffixList::suffix(std::string_view host, Rules rules) const {
    host = without_trailing_dot(host);
    const Labels labels = labels_of(list_.get(), host, rules);
    if (labels.in_suffix == 0) return {};
    return last_labels(host, labels.in_suffix);
}

std::optional<std::string_view> PublicSuffixList::registrable_domain(std::string_view host,
                                                                     Rules rules) const {
    host = without_trailing_dot(host);
    const Labels labels = labels_of(list_.get(), host, rules);
    if (labels.in_suffix == 0 || labels.in_suffix == labels.in_name) return std::nullopt;
    return last_labels(host, labels.in_suffix + 1);
}

void PublicSuffixList::Free::operator()(psl_ctx_st* list) const {
    psl_free(list);
}

}  // namespace weft::web
