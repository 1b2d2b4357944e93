#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "web/url/url.h"

namespace weft::web {

// The common case: an http or https URL, or a reference to one, in plain ASCII that needs no
// escaping. It is put together in the result's own buffer, checked there in one pass, and only the
// host's case and dot segments are mended in place. Nothing comes back where anything is out of the
// ordinary, wrong or merely rare; then the standard's parser decides. Where a URL does come back it
// is the one that parser gives (the fuzz target compares them).
class UrlFastPath {
public:
    static std::optional<Url> parse(std::string_view text);
    static std::optional<Url> resolve(const Url& base, std::string_view reference);

private:
    static std::optional<Url> resolve_path(const Url& base, std::string_view reference);

    // The candidate is `prefix` and `rest`; reading starts with `rest`.
    UrlFastPath(std::string_view prefix, std::string_view rest);

    void copy_authority(const Url& base);
    bool read_authority();
    bool read_port();
    bool read_path();
    bool read_query();
    bool read_fragment();
    void lower_host();
    void remove_dot_segments();

    bool at_end() const { return at_ == url_.href_.size(); }
    // Whether one of / ? # or the end is at `at`.
    bool ends_segment(std::size_t at) const;
    void skip(unsigned kinds);

    Url url_;
    std::size_t at_ = 0;
    bool has_dot_segments_ = false;
};

}  // namespace weft::web
