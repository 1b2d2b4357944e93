#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "web/url/url.h"

namespace weft::web {

// A faster parser for the common case: an http or https URL, or a reference to one, in ASCII that
// needs no escaping. It builds the URL in the result's own buffer and checks it there in one pass.
// In place it only lowers the host's case and removes dot segments.
//
// For anything wrong, unusual or rare it returns nothing, and the standard's parser decides. A URL
// that it does return is the same as that parser gives (the fuzz target compares them).
class UrlFastPath {
public:
    static std::optional<Url> parse(std::string_view text);
    static std::optional<Url> resolve(const Url& base, std::string_view reference);

private:
    static std::optional<Url> resolve_path(const Url& base, std::string_view reference);

    // The candidate is `prefix` followed by `rest`. Reading starts at `rest`; `prefix` is a part of
    // a valid URL already.
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
    // Whether `at` is the end or holds one of / ? #.
    bool ends_segment(std::size_t at) const;
    // Moves `at_` past bytes of the given kinds (see the source).
    void skip(unsigned kinds);

    Url url_;
    std::size_t at_ = 0;
    bool has_dot_segments_ = false;
};

}  // namespace weft::web
