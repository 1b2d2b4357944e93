#include "extract/fields/json_depth.h"

#include <cstddef>

namespace weft::extract {

bool is_json_deeper(std::string_view text, int levels) {
    int depth = 0;
    bool is_in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_in_string) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                is_in_string = false;
            }
        } else if (c == '"') {
            is_in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > levels) return true;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return false;
}

}  // namespace weft::extract
