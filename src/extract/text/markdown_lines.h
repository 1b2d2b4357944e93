#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::extract {

// Writes blocks of Markdown line by line, each with the prefix of the quotes and list items that it
// is in, and with the blank lines that CommonMark needs between blocks. In a tight list there are
// none, because they would make paragraphs of its items.
class MarkdownLines {
public:
    // Quotes and items inside of more than this many are not marked any more.
    static constexpr std::size_t kContainerDepthMax = 32;

    explicit MarkdownLines(std::string& out) : out_(out) {}

    void write_paragraph(std::string_view text);
    void write_heading(std::string_view line);
    void write_code(std::string_view code, std::string_view language);
    void write_table(std::string_view rows);
    void write_rule();

    void begin_quote();
    void end_quote();
    void begin_list(bool is_ordered, std::uint32_t number, bool is_loose);
    void end_list();
    // An item outside of a list begins and ends a list of its own.
    void begin_item();
    void end_item();

private:
    enum class Block : std::uint8_t { none, paragraph, heading, code, table, rule, quote, list };
    struct Container {
        std::string marker;  // "> ", "- ", "12. "; empty if the container is not marked.
        bool is_quote = false;
        bool is_tight = false;
        bool is_marked = false;  // An item's marker is written.
    };
    struct List {
        bool is_ordered = false;
        bool is_loose = false;
        bool is_lone_item = false;  // Made for an item outside of a list.
        char sign = '-';            // Or '*', '.', ')'.
        std::uint32_t number = 1;
        std::size_t item_count = 0;
        std::size_t depth = 0;  // How many containers it is in.
    };

    void separate(Block next);
    void begin_line();
    void end_line(std::string_view line);
    void write_lines(std::string_view lines);
    void blank_line();
    bool is_tight() const { return !containers_.empty() && containers_.back().is_tight; }

    std::string& out_;
    std::vector<Container> containers_;
    std::vector<List> lists_;
    Block before_ = Block::none;  // The last block in the current container.
    List last_list_;              // The list that ended last, if before_ is a list.
};

}  // namespace weft::extract
