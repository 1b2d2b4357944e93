#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace weft::http {

// One header field. The views point into the Headers that returned it.
struct Field {
    std::string_view name;
    std::string_view value;
};

// The fields of one HTTP message, in the order in which they were sent. Names compare without
// regard to ASCII case and keep their spelling; a repeated name stays repeated. Values are any
// bytes: this class does not check them.
//
// All text is in one buffer that clear() keeps, so reusing a list allocates nothing. Returned views
// are valid until the next non-const call.
class Headers {
public:
    class Iterator;

    void add(std::string_view name, std::string_view value);

    // Removes every field of this name, then adds the given one at the end.
    void set(std::string_view name, std::string_view value);
    void remove(std::string_view name);

    // Continues the value of the last field after one space (a folded line). REQUIRES: !empty().
    void extend_last(std::string_view continuation);

    // Removes all fields. Keeps the memory, unless an unusually large message made it grow.
    void clear();

    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }
    Field operator[](std::size_t index) const {
        const FieldSpan& entry = entries_[index];
        const char* name = text_.data() + entry.offset;
        return {{name, entry.name_bytes}, {name + entry.name_bytes, entry.value_bytes}};
    }
    Iterator begin() const;
    Iterator end() const;

    // The first value of this name. A field with an empty value is present.
    std::optional<std::string_view> get(std::string_view name) const;
    bool contains(std::string_view name) const { return get(name).has_value(); }

    // Every value of this name, in order, as a lazy range. `name` must outlive it.
    auto get_all(std::string_view name) const {
        return std::views::iota(std::size_t{0}, size()) |
               std::views::filter([this, name](std::size_t i) { return is_named(i, name); }) |
               std::views::transform([this](std::size_t i) { return (*this)[i].value; });
    }

    // All values of this name as one list, joined by ", " (RFC 9110, 5.3). Not for Set-Cookie,
    // whose values contain commas.
    std::string joined(std::string_view name) const;

    // Whether two fields of this name have different values. For fields that may occur only once,
    // such as Location (H33).
    bool disagrees(std::string_view name) const;

    // Whether the comma-separated values of this name contain `token`, in any case.
    bool has_token(std::string_view name, std::string_view token) const;

private:
    // A field in text_: its name begins at `offset`, its value follows without a gap.
    struct FieldSpan {
        std::uint32_t offset;
        std::uint32_t name_bytes;
        std::uint32_t value_bytes;
    };

    bool is_named(std::size_t index, std::string_view name) const;

    std::string text_;
    std::vector<FieldSpan> entries_;
};

class Headers::Iterator {
public:
    using value_type = Field;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const Headers* headers, std::size_t index) : headers_(headers), index_(index) {}

    Field operator*() const { return (*headers_)[index_]; }
    Iterator& operator++() {
        ++index_;
        return *this;
    }
    Iterator operator++(int) { return {headers_, index_++}; }
    bool operator==(const Iterator&) const = default;

private:
    const Headers* headers_ = nullptr;
    std::size_t index_ = 0;
};

inline Headers::Iterator Headers::begin() const {
    return {this, 0};
}
inline Headers::Iterator Headers::end() const {
    return {this, size()};
}

}  // namespace weft::http
