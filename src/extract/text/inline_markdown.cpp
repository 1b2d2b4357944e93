#include "extract/text/inline_markdown.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "extract/text/markdown_escape.h"

namespace weft::extract {

void InlineMarkdown::add_text(std::string_view text) {
    while (!text.empty()) {
        const std::size_t space = text.find_first_of(" \t\n\f\r");
        const std::string_view word = text.substr(0, space);
        if (!word.empty()) {
            begin_content();
            if (parts_.empty() || parts_.back().kind != Kind::text ||
                parts_.back().is_in_link != (link_depth_ > 0)) {
                add_part(Kind::text, word);
            } else {
                buffer_ += word;
                parts_.back().size += static_cast<std::uint32_t>(word.size());
            }
        }
        if (space == std::string_view::npos) return;
        has_space_ = true;
        text.remove_prefix(space + 1);
    }
}

// White space is written only between two contents, and before the delimiters that wait for theirs.
void InlineMarkdown::begin_content() {
    if (has_space_ && !parts_.empty() && parts_.back().kind != Kind::hard_break) {
        if (parts_.back().kind == Kind::text) {
            buffer_ += ' ';
            ++parts_.back().size;
        } else {
            add_part(Kind::text, " ");
        }
    }
    has_space_ = false;
    for (; pending_count_ > 0; --pending_count_) {
        Open& open = open_[open_.size() - pending_count_];
        if (open.is_ignored) continue;
        choose_delimiter(open);
        open.part = static_cast<std::uint32_t>(parts_.size());
        add_part(open.is_link ? Kind::literal : Kind::begin, open.is_link ? "[" : "");
        parts_.back().delimiter = open.delimiter;
        parts_.back().delimiter_size = open.delimiter_size;
        if (open.is_link) link_depth_ = 1;
    }
}

// Directly after other asterisks an asterisk would join them, so an underscore is taken. Only
// strong inside of emphasis may join: `***` means just that.
void InlineMarkdown::choose_delimiter(Open& open) {
    if (open.delimiter != '*' || parts_.empty()) return;
    const Part& before = parts_.back();
    if ((before.kind != Kind::begin && before.kind != Kind::end) || before.delimiter != '*') return;
    const bool joins =
        before.kind == Kind::begin && before.delimiter_size == 1 && open.delimiter_size == 2;
    if (!joins) open.delimiter = '_';
}

void InlineMarkdown::add_part(Kind kind, std::string_view text) {
    Part part{.kind = kind, .is_in_link = link_depth_ > 0};
    part.begin = static_cast<std::uint32_t>(buffer_.size());
    part.size = static_cast<std::uint32_t>(text.size());
    buffer_ += text;
    parts_.push_back(part);
}

void InlineMarkdown::add_break() {
    has_space_ = false;
    if (!parts_.empty()) add_part(Kind::hard_break, {});
}

// A longer run of backticks than any in the code encloses it.
void InlineMarkdown::add_code(std::string_view text) {
    std::string code;
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        code += c == '\n' || c == '\r' || c == '\t' || c == '\f' ? ' ' : c;
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    if (code.find_first_not_of(' ') == std::string::npos) {
        has_space_ |= !code.empty();
        return;
    }
    const bool is_padded =
        code.front() == '`' || code.back() == '`' || (code.front() == ' ' && code.back() == ' ');
    const std::string fence(longest + 1, '`');
    begin_content();
    add_part(Kind::literal, fence + (is_padded ? " " : "") + code + (is_padded ? " " : "") + fence);
}

void InlineMarkdown::add_image(std::string_view alt, std::string_view url, std::string_view title) {
    std::string image = "![";
    for (const char c : alt) {
        if (c == '[' || c == ']' || c == '\\' || c == '`') image += '\\';
        image += c == '\n' || c == '\r' ? ' ' : c;
    }
    image += ']';
    write_destination(url, title, image);
    begin_content();
    add_part(Kind::literal, image);
}

void InlineMarkdown::begin_emphasis(std::string_view delimiter) {
    Open open;
    open.part = kPending;
    open.delimiter = delimiter[0];
    open.delimiter_size = static_cast<std::uint8_t>(delimiter.size());
    open.is_ignored = open_.size() >= kEmphasisDepthMax;
    open_.push_back(open);
    ++pending_count_;
}

void InlineMarkdown::end_emphasis() {
    if (open_.empty()) return;
    end_part(open_.back());
    open_.pop_back();
}

void InlineMarkdown::end_part(Open& open) {
    if (pending_count_ > 0) {
        --pending_count_;
        return;
    }
    if (open.is_ignored || open.part >= parts_.size()) return;
    add_part(Kind::end, {});
    parts_.back().delimiter = open.delimiter;
    parts_.back().delimiter_size = open.delimiter_size;
    parts_.back().partner = open.part;
    parts_[open.part].partner = static_cast<std::uint32_t>(parts_.size() - 1);
}

void InlineMarkdown::begin_link(std::string_view url, std::string_view title) {
    open_.push_back({.is_link = true, .is_ignored = has_link_, .part = kPending});
    ++pending_count_;
    if (has_link_) return;
    has_link_ = true;
    link_end_ = "]";
    write_destination(url, title, link_end_);
}

void InlineMarkdown::end_link() {
    if (open_.empty()) return;
    const Open open = open_.back();
    open_.pop_back();
    if (!open.is_ignored) has_link_ = false;
    if (pending_count_ > 0) {
        --pending_count_;
    } else if (!open.is_ignored) {
        link_depth_ = 0;
        add_part(Kind::literal, link_end_);
    }
}

void InlineMarkdown::write(std::string& out, LinePlace place) {
    while (!parts_.empty() && parts_.back().kind == Kind::hard_break) parts_.pop_back();
    // What is open ends here and begins again in the next block.
    const std::size_t begun = open_.size() - pending_count_;
    for (std::size_t i = open_.size(); i-- > 0;) {
        Open& open = open_[i];
        if (i < begun && !open.is_ignored && open.part < parts_.size()) {
            if (open.is_link) {
                add_part(Kind::literal, link_end_);
            } else {
                const std::size_t pending = std::exchange(pending_count_, 0);
                end_part(open);
                pending_count_ = pending;
            }
        }
        open.part = kPending;
    }
    drop_invalid();
    std::size_t line_begin = out.size();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        write_part(i, out, place, line_begin);
        if (parts_[i].kind == Kind::hard_break) line_begin = out.size();
    }
    if (place == LinePlace::heading) escape_closing_hashes(out, line_begin);
    parts_.clear();
    buffer_.clear();
    pending_count_ = open_.size();
    link_depth_ = 0;
    has_space_ = false;
}

void InlineMarkdown::write_part(std::size_t i, std::string& out, LinePlace place,
                                std::size_t line_begin) {
    const Part& part = parts_[i];
    if (part.is_dropped) return;
    switch (part.kind) {
        case Kind::text: escape_text(part, i, out, place, line_begin); break;
        case Kind::literal:
            if (place == LinePlace::cell) {
                for (const char c : text_of(part)) (c == '|' ? out += '\\' : out) += c;
            } else {
                out += text_of(part);
            }
            break;
        case Kind::begin:
        case Kind::end: out.append(part.delimiter_size, part.delimiter); break;
        case Kind::hard_break: out += place == LinePlace::paragraph ? "\\\n" : " "; break;
    }
}

void InlineMarkdown::escape_text(const Part& part, std::size_t i, std::string& out, LinePlace place,
                                 std::size_t line_begin) {
    // In these places the beginning of a line has no meaning.
    const bool can_begin_block = place == LinePlace::paragraph && out.size() == line_begin;
    const bool is_before_link = i + 1 < parts_.size() && parts_[i + 1].kind == Kind::literal &&
                                text_of(parts_[i + 1]).starts_with('[');
    const bool is_last = i + 1 == parts_.size() || parts_[i + 1].kind == Kind::hard_break;
    append_escaped(text_of(part),
                   {.is_at_block_start = can_begin_block,
                    .is_in_link = part.is_in_link,
                    .is_in_cell = place == LinePlace::cell,
                    .is_before_link = is_before_link,
                    .is_whole_line = can_begin_block && is_last},
                   out);
}

// A dropped delimiter changes what is next to others, so this is done until nothing changes; the
// rounds are few, because emphasis is not deep.
void InlineMarkdown::drop_invalid() {
    for (std::size_t round = 0; round < kEmphasisDepthMax; ++round) {
        bool has_dropped = false;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const Part& part = parts_[i];
            if ((part.kind != Kind::begin && part.kind != Kind::end) || part.is_dropped) continue;
            if (is_valid(i)) continue;
            parts_[i].is_dropped = parts_[part.partner].is_dropped = true;
            has_dropped = true;
        }
        if (!has_dropped) return;
    }
    for (Part& part : parts_) part.is_dropped |= part.kind == Kind::begin || part.kind == Kind::end;
}

bool InlineMarkdown::is_valid(std::size_t i) const {
    const char32_t before = neighbour(i, -1);
    const char32_t after = neighbour(i, 1);
    const bool is_left =
        !is_white(after) && (!is_punctuation(after) || is_white(before) || is_punctuation(before));
    const bool is_right =
        !is_white(before) && (!is_punctuation(before) || is_white(after) || is_punctuation(after));
    const bool is_underscore = parts_[i].delimiter == '_';
    if (parts_[i].kind == Kind::begin) {
        return is_left && (!is_underscore || !is_right || is_punctuation(before));
    }
    return is_right && (!is_underscore || !is_left || is_punctuation(after));
}

// The character before or after a run of delimiters. White space at the edges of a line.
char32_t InlineMarkdown::neighbour(std::size_t i, int step) const {
    const char own = parts_[i].delimiter;
    for (std::size_t k = i; (step < 0 && k > 0) || (step > 0 && k + 1 < parts_.size());) {
        k = step < 0 ? k - 1 : k + 1;
        const Part& part = parts_[k];
        if (part.is_dropped) continue;
        if (part.kind == Kind::hard_break) return ' ';
        if (part.kind == Kind::begin || part.kind == Kind::end) {
            if (part.delimiter == own) continue;
            return static_cast<unsigned char>(part.delimiter);
        }
        return step < 0 ? last_character(text_of(part)) : first_character(text_of(part));
    }
    return ' ';
}

}  // namespace weft::extract
