#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace weft::redis {

// A command and its arguments, as Redis reads them: "*2\r\n$3\r\nGET\r\n$1\r\nx\r\n". Arguments may
// hold any bytes.
class Command {
public:
    explicit Command(std::string_view name) { add(name); }

    Command& add(std::string_view argument) {
        ++count_;
        body_ += '$';
        append_number(body_, argument.size());
        body_ += "\r\n";
        body_ += argument;
        body_ += "\r\n";
        return *this;
    }
    Command& add(std::integral auto number) {
        std::string text;
        append_number(text, number);
        return add(std::string_view(text));
    }

    void append_to(std::string& out) const {
        out += '*';
        append_number(out, count_);
        out += "\r\n";
        out += body_;
    }

    std::size_t size() const { return count_; }

private:
    static void append_number(std::string& out, std::integral auto number) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        out.append(digits, end);
    }

    std::size_t count_ = 0;
    std::string body_;
};

}  // namespace weft::redis
