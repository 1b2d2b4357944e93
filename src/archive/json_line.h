#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::archive {

// One JSON object in one text, read in place: for files with a million lines, of which a tree of
// values for each would cost more than all the rest. Members are looked up by name, quickest in the
// order in which they stand. Objects and arrays inside are texts of their own.
//
// Lenient where that does no harm: numbers are not checked until they are read, and what is behind
// the object does not count.
class JsonLine {
public:
    // Nothing if the text does not begin with an object. Views of `text` are kept.
    static std::optional<JsonLine> parse(std::string_view text);

    // False if there is no such member, or of another kind; `value` is then as it was.
    bool read(std::string_view name, std::string& value) const;
    bool read(std::string_view name, std::uint64_t& value) const;
    bool read(std::string_view name, bool& value) const;

    // The text of an object or array.
    std::optional<std::string_view> nested(std::string_view name) const;

    bool contains(std::string_view name) const { return find(name) != nullptr; }

    struct Member {
        std::string_view name;   // As written: names of ours have no escapes.
        std::string_view value;  // As written, a string with its quotes.
    };
    const std::vector<Member>& members() const { return members_; }

private:
    const Member* find(std::string_view name) const;

    std::vector<Member> members_;
    mutable std::size_t next_ = 0;  // Behind the one that was found last.
};

// The strings of an array; what is none is passed over.
std::vector<std::string> read_json_strings(std::string_view array);

// Of a literal with its quotes. Nothing if it is none.
std::optional<std::string> read_json_string(std::string_view literal);

std::optional<std::uint64_t> read_json_number(std::string_view text);

}  // namespace weft::archive
