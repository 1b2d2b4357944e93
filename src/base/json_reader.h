#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

// Reads a JSON text from front to back without building a tree. For lines of a known kind, of which
// there are millions.
//
//     JsonReader reader(line);
//     reader.enter_object();
//     while (reader.next_member()) {
//         if (reader.key() == "url") reader.read(url);
//         else reader.skip();
//     }
//     if (!reader.is_whole()) ...  // No JSON.
//
// The caller reads each member or item exactly once: by read(), by skip() or by entering it. If a
// value has another type than asked for, it is skipped and the variable keeps its value. Text that
// is not JSON ends every loop. The text must outlive the reader.
class JsonReader {
public:
    explicit JsonReader(std::string_view text) : rest_(text) {}

    // If the value is of another type, skips it and returns false.
    bool enter_object() { return enter('{'); }
    bool enter_array() { return enter('['); }

    // Moves to the next member or item. At the end of the object or array, leaves it and returns
    // false.
    bool next_member();
    bool next_item() { return next(']'); }

    // The current member's key. Valid until the next call of next_member().
    std::string_view key() const { return key_; }

    void read(std::string& value);
    void read(std::uint64_t& value);  // Only whole numbers >= 0; others are skipped.
    void read(bool& value);
    void skip();

    // Whether the text was read to its end without an error.
    bool is_whole();

private:
    bool enter(char bracket);
    bool next(char bracket);
    char peek();  // Skips white space and returns the next byte; 0 at the end.
    bool fail();  // Drops the rest of the text, so that every loop ends. Returns false.
    bool take(std::string_view word);
    // Takes the string at the front. `inside` points into the text if the string has no escapes,
    // else into `scratch`.
    bool take_string(std::string_view& inside, std::string& scratch);
    bool take_escape(std::string& out);
    bool take_unit(std::uint32_t& unit);  // The four hex digits of \uXXXX, a UTF-16 code unit.
    void skip_scalar();

    std::string_view rest_;
    std::string_view key_;
    std::string key_scratch_;
    std::string scratch_;
    bool is_first_ = true;  // No comma is due before the next member or item.
    bool has_failed_ = false;
};

}  // namespace weft
