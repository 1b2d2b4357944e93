#include "extract/text/plain_text.h"

#include <algorithm>
#include <vector>

#include "extract/text/flow.h"

namespace weft::extract {
namespace {

using web::HtmlNode;
using web::HtmlTree;

// How far two texts are apart; the strongest of all edges between them counts.
enum class Gap : std::uint8_t { none, space, tab, line, block };

Gap gap_of(Flow flow) {
    switch (flow) {
        case Flow::inline_text:
        case Flow::image:
        case Flow::hidden: return Gap::none;
        case Flow::cell: return Gap::tab;
        case Flow::line_break:
        case Flow::item:
        case Flow::row: return Gap::line;
        default: return Gap::block;
    }
}

class PlainTextWriter {
public:
    PlainTextWriter(const HtmlTree& tree, const KeptNodes& kept, std::string& out)
        : tree_(tree), kept_(kept), out_(out), begin_(out.size()) {}

    void write() {
        const std::uint32_t end = tree_[kept_.root].end;
        for (std::uint32_t i = kept_.root; i < end;) {
            while (!open_.empty() && tree_[open_.back()].end <= i) leave();
            i = enter(i);
        }
        if (out_.size() > begin_ && out_.back() != '\n') out_ += '\n';
    }

private:
    std::uint32_t enter(std::uint32_t i) {
        const HtmlNode& node = tree_[i];
        if (kept_.drops(i)) return node.end;
        if (node.is_text()) {
            pre_depth_ > 0 ? add_exactly(tree_.text(i)) : add(tree_.text(i));
            return node.end;
        }
        if (node.kind == web::NodeKind::document) return i + 1;
        const Flow flow = node.is_element() ? flow_of(node) : Flow::hidden;
        if (flow == Flow::hidden) return node.end;
        if (flow == Flow::line_break && pre_depth_ > 0) {
            add_exactly("\n");
            return node.end;
        }
        widen(gap_of(flow));
        if (node.end == i + 1 || flow == Flow::inline_text) return i + 1;
        if (flow == Flow::preformatted) ++pre_depth_;
        open_.push_back(i);
        return i + 1;
    }

    // Only blocks are on the stack: the ends of inline elements mean nothing.
    void leave() {
        const Flow flow = flow_of(tree_[open_.back()]);
        open_.pop_back();
        if (flow == Flow::preformatted) --pre_depth_;
        widen(gap_of(flow));
    }

    void widen(Gap gap) { gap_ = std::max(gap_, gap); }

    void write_gap() {
        static constexpr std::string_view kGaps[] = {"", " ", "\t", "\n", "\n\n"};
        if (out_.size() > begin_) out_ += kGaps[static_cast<std::size_t>(gap_)];
        gap_ = Gap::none;
    }

    void add(std::string_view text) {
        while (!text.empty()) {
            const std::size_t space = text.find_first_of(" \t\n\f\r");
            if (space != 0) {
                write_gap();
                out_ += text.substr(0, space);
            }
            if (space == std::string_view::npos) return;
            widen(Gap::space);
            text.remove_prefix(space + 1);
        }
    }

    void add_exactly(std::string_view text) {
        write_gap();
        out_ += text;
    }

    const HtmlTree& tree_;
    const KeptNodes& kept_;
    std::string& out_;
    std::size_t begin_;
    std::vector<std::uint32_t> open_;
    Gap gap_ = Gap::none;
    int pre_depth_ = 0;
};

}  // namespace

void write_plain_text(const HtmlTree& tree, const KeptNodes& kept, std::string& out) {
    PlainTextWriter(tree, kept, out).write();
}

}  // namespace weft::extract
