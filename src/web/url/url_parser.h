#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "web/url/url.h"
#include "web/url/url_record.h"

namespace weft::web::detail {

// The standard's basic URL parser, every case of it, without the fast path in front. `base` may be
// null.
std::expected<Url, UrlError> parse_by_standard(std::string_view text, const Url* base,
                                               const QueryEncoder* query_encoder);

// Without tabs and newlines, which the standard drops wherever they stand.
std::string without_tabs_and_newlines(std::string_view text);
bool has_tab_or_newline(std::string_view text);

// Where the host ends and what comes after it: the first ":" outside brackets, or the end.
std::size_t find_port_colon(std::string_view host_and_port);

// Sets `record.port`; none for no digits and for the scheme's default. Unchanged where it fails.
std::expected<void, UrlError> set_port(UrlRecord& record, std::string_view digits);

// The state machine of section 4.4, a function for each group of states. It walks over `input`
// once; `rest_` is what is still to be read.
class UrlParser {
public:
    UrlParser(std::string_view input, const Url* base, const QueryEncoder* query_encoder)
        : rest_(input), base_(base), query_encoder_(query_encoder) {}

    std::expected<UrlRecord, UrlError> parse();

private:
    using Result = std::expected<void, UrlError>;

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

    bool is_slash(std::size_t at) const;
    std::string_view take_until(std::string_view delimiters);
    void copy_from_base();

    std::string_view rest_;
    const Url* base_;
    const QueryEncoder* query_encoder_;
    UrlRecord record_;
};

}  // namespace weft::web::detail
