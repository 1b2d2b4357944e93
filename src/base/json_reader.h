#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

// Reads a JSON text from front to back without making a tree of it, for lines of a known kind that
// come by the million.
//
//     JsonReader reader(line);
//     reader.enter_object();
//     while (reader.next_member()) {
//         if (reader.key() == "url") reader.read(url);
//         else reader.skip();
//     }
//     if (!reader.is_whole()) ...  // No JSON.
//
// Each member or item is read once, by read(), skip() or by entering it. A value of another type
// than asked for is passed over and leaves the variable as it was. What is no JSON ends every loop.
class JsonReader {
public:
    explicit JsonReader(std::string_view text) : rest_(text) {}

    // False, and the value is passed over, if it is something else.
    bool enter_object() { return enter('{'); }
    bool enter_array() { return enter('['); }

    // Goes to the next one; false at the end of the object or array, which is left then.
    bool next_member();
    bool next_item() { return next(']'); }

    // Of the member; until the next one.
    std::string_view key() const { return key_; }

    void read(std::string& value);
    void read(std::uint64_t& value);  // Whole numbers from zero.
    void read(bool& value);
    void skip();

    // The text was read to its end and was JSON.
    bool is_whole();

private:
    bool enter(char bracket);
    bool next(char bracket);
    char peek();  // The first byte that is no space; 0: none.
    bool fail();
    bool take(std::string_view word);
    // The inside of the string at the front, a view if nothing in it is escaped, else in `scratch`.
    bool take_string(std::string_view& inside, std::string& scratch);
    bool take_escape(std::string& out);
    bool take_unit(std::uint32_t& unit);
    void skip_scalar();

    std::string_view rest_;
    std::string_view key_;
    std::string key_scratch_;
    std::string scratch_;
    bool is_first_ = true;
    bool has_failed_ = false;
};

}  // namespace weft
