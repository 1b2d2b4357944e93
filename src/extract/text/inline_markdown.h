#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::extract {

// Where a line of Markdown stands, which decides what must be escaped.
enum class LinePlace : std::uint8_t { paragraph, heading, cell };

// Collects the inline content of one block and writes it as Markdown. White space is collapsed, and
// moved out of emphasis and links. Emphasis that Markdown cannot express at its place (CommonMark
// 6.2, "flanking") is left out, because its asterisks would be shown.
class InlineMarkdown {
public:
    // At most this deep; deeper emphasis is left out.
    static constexpr std::size_t kEmphasisDepthMax = 8;

    void add_text(std::string_view text);
    void add_space() { has_space_ = true; }
    void add_break();
    void add_code(std::string_view text);
    void add_image(std::string_view alt, std::string_view url, std::string_view title);

    // `delimiter` is "*", "**" or "~~". Each call needs its end_emphasis().
    void begin_emphasis(std::string_view delimiter);
    void end_emphasis();

    // A link without content is left out, and so is a link inside of another.
    void begin_link(std::string_view url, std::string_view title);
    void end_link();

    bool is_empty() const { return parts_.empty(); }

    // Appends the content, with line feeds only at hard breaks, and begins again. Emphasis and
    // links that are open go on in the next block: they end here, and begin again there.
    void write(std::string& out, LinePlace place);

private:
    enum class Kind : std::uint8_t { text, literal, begin, end, hard_break };
    struct Part {
        Kind kind = Kind::text;
        bool is_in_link = false;
        char delimiter = '*';
        std::uint8_t delimiter_size = 1;
        bool is_dropped = false;
        std::uint32_t begin = 0, size = 0;  // In buffer_.
        std::uint32_t partner = 0;          // The index of the other end.
    };
    // An emphasis or link that is open. `part` is the index of its beginning, or kPending.
    struct Open {
        bool is_link = false;
        bool is_ignored = false;
        std::uint32_t part = 0;
        char delimiter = '*';
        std::uint8_t delimiter_size = 1;
    };
    static constexpr std::uint32_t kPending = UINT32_MAX;

    void begin_content();
    void add_part(Kind kind, std::string_view text);
    void choose_delimiter(Open& open);
    void end_part(Open& open);
    void drop_invalid();
    bool is_valid(std::size_t part) const;
    char32_t neighbour(std::size_t part, int step) const;
    void write_part(std::size_t i, std::string& out, LinePlace place, std::size_t line_begin);
    void escape_text(const Part& part, std::size_t i, std::string& out, LinePlace place,
                     std::size_t line_begin);
    std::string_view text_of(const Part& part) const {
        return std::string_view(buffer_).substr(part.begin, part.size);
    }

    std::string buffer_;
    std::vector<Part> parts_;
    std::vector<Open> open_;
    std::size_t pending_count_ = 0;  // How many of open_, the last ones, have no part yet.
    std::size_t link_depth_ = 0;     // 1 in a link.
    std::string link_end_;           // What follows the text of the link: `](url)`.
    bool has_link_ = false;          // A link is open, maybe without content yet.
    bool has_space_ = false;
};

// Appends a link's destination and title: `(url "title")`.
void write_destination(std::string_view url, std::string_view title, std::string& out);

}  // namespace weft::extract
