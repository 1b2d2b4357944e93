#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "web/url/url.h"
#include "web/url/url_record.h"

namespace weft::web::detail {

// The standard's basic URL parser with all its cases, without the fast path. `base` may be null.
std::expected<Url, UrlError> parse_by_standard(std::string_view text, const Url* base,
                                               const QueryEncoder* query_encoder);

// The text without tabs and newlines. The standard removes them everywhere.
std::string without_tabs_and_newlines(std::string_view text);
bool has_tab_or_newline(std::string_view text);

// The end of the host: the offset of the first ":" outside brackets, or the size.
std::size_t find_port_colon(std::string_view host_and_port);

// Sets `record.port`. No digits and the scheme's default port mean no port. On an error the record
// does not change. REQUIRES: `digits` has only digits.
std::expected<void, UrlError> set_port(UrlRecord& record, std::string_view digits);

// The state machine of section 4.4 of the URL standard, with a function for each group of states.
// It reads `input` once from front to back; `rest_` is the part that is not read yet. `input` and
// `base` must outlive it. For one use.
class UrlParser {
public:
    UrlParser(std::string_view input, const Url* base, const QueryEncoder* query_encoder)
        : rest_(input), base_(base), query_encoder_(query_encoder) {}

    std::expected<UrlRecord, UrlError> parse();

private:
    using Result = std::expected<void, UrlError>;

    // Each state reads from rest_ into record_ and calls the next state.
    bool read_scheme();
    Result after_scheme();
    Result without_scheme();
    Result relative();
    Result relative_slash();
    Result authority();
    Result host_and_port(std::string_view text);
    Result file();
    Result file_slash();
    Result file_host();
    Result path_start();
    Result path();
    Result opaque_path();
    Result query_and_fragment();

    // Whether rest_[at] is "/", or "\" in a special URL.
    bool is_slash(std::size_t at) const;
    std::string_view take_until(std::string_view delimiters);
    void copy_from_base();

    std::string_view rest_;
    const Url* base_;
    const QueryEncoder* query_encoder_;
    UrlRecord record_;
};

}  // namespace weft::web::detail
