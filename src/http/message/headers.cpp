#include "http/message/headers.h"

#include <algorithm>

#include "base/assert.h"
#include "base/bytes.h"
#include "base/units.h"

namespace weft::http {

namespace {

// What an ordinary message needs. One hostile message must not hold more memory than this for as
// long as its connection lives.
constexpr std::size_t kHeadersKeptBytes = 16_KiB;
constexpr std::size_t kKeptEntries = 256;

}  // namespace

void Headers::add(std::string_view name, std::string_view value) {
    WEFT_ASSERT(text_.size() + name.size() + value.size() <= UINT32_MAX);
    entries_.push_back({static_cast<std::uint32_t>(text_.size()),
                        static_cast<std::uint32_t>(name.size()),
                        static_cast<std::uint32_t>(value.size())});
    text_.append(name).append(value);
}

void Headers::set(std::string_view name, std::string_view value) {
    remove(name);
    add(name, value);
}

void Headers::remove(std::string_view name) {
    // The text stays in the buffer until clear(): removing is rare, and offsets stay valid.
    std::erase_if(entries_, [&](const FieldSpan& entry) {
        return equals_ignore_case({text_.data() + entry.offset, entry.name_bytes}, name);
    });
}

void Headers::extend_last(std::string_view continuation) {
    WEFT_ASSERT(!empty());
    if (continuation.empty()) return;
    FieldSpan& last = entries_.back();
    // Cuts off what remove() may have left behind the last field, so that its value can grow.
    text_.resize(last.offset + last.name_bytes + last.value_bytes);
    if (last.value_bytes > 0) text_ += ' ';
    text_ += continuation;
    last.value_bytes = static_cast<std::uint32_t>(text_.size()) - last.offset - last.name_bytes;
}

void Headers::clear() {
    text_.clear();
    entries_.clear();
    if (text_.capacity() > kHeadersKeptBytes) text_.shrink_to_fit();
    if (entries_.capacity() > kKeptEntries) entries_.shrink_to_fit();
}

std::optional<std::string_view> Headers::get(std::string_view name) const {
    for (std::size_t i = 0; i < size(); ++i) {
        if (is_named(i, name)) return (*this)[i].value;
    }
    return std::nullopt;
}

std::string Headers::joined(std::string_view name) const {
    std::string list;
    bool first = true;
    for (std::string_view value : get_all(name)) {
        if (!first) list += ", ";
        first = false;
        list += value;
    }
    return list;
}

bool Headers::disagrees(std::string_view name) const {
    const std::string_view first = get(name).value_or("");
    return std::ranges::any_of(get_all(name), [&](auto value) { return value != first; });
}

bool Headers::has_token(std::string_view name, std::string_view token) const {
    for (std::string_view value : get_all(name)) {
        while (true) {
            const std::size_t comma = value.find(',');
            if (equals_ignore_case(trim(value.substr(0, comma)), token)) return true;
            if (comma == std::string_view::npos) break;
            value.remove_prefix(comma + 1);
        }
    }
    return false;
}

bool Headers::is_named(std::size_t index, std::string_view name) const {
    const FieldSpan& entry = entries_[index];
    return entry.name_bytes == name.size() &&
           equals_ignore_case({text_.data() + entry.offset, entry.name_bytes}, name);
}

}  // namespace weft::http
