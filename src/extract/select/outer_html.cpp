#include "extract/select/outer_html.h"

#include <vector>

namespace weft::extract {
namespace {

using enum web::Element;
using web::HtmlNode;
using web::HtmlTree;

bool is_void(const HtmlNode& node) {
    if (node.space != web::Namespace::html) return false;
    switch (node.element) {
        case area:
        case base:
        case basefont:
        case bgsound:
        case br:
        case col:
        case embed:
        case frame:
        case hr:
        case img:
        case input:
        case keygen:
        case link:
        case meta:
        case param:
        case source:
        case track:
        case wbr: return true;
        default: return false;
    }
}

// The text in these is written as it is.
bool has_raw_text(const HtmlNode& node) {
    if (node.space != web::Namespace::html || !node.is_element()) return false;
    switch (node.element) {
        case style:
        case script:
        case xmp:
        case iframe:
        case noembed:
        case noframes:
        case plaintext: return true;
        default: return false;
    }
}

void append_html_text(std::string_view text, bool is_attribute, std::string& out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '"' && is_attribute) {
            out += "&quot;";
        } else if (text.substr(i).starts_with("\u00A0")) {
            out += "&nbsp;";
            ++i;
        } else {
            out += c;
        }
    }
}

void append_start_tag(const HtmlTree& tree, std::uint32_t i, std::string& out) {
    (out += '<') += tree.name(i);
    for (std::size_t k = 0; k < tree.attribute_count(i); ++k) {
        const web::TreeAttribute attribute = tree.attribute_at(i, k);
        ((out += ' ') += attribute.name) += "=\"";
        append_html_text(attribute.value, true, out);
        out += '"';
    }
    out += '>';
}

}  // namespace

void append_outer_html(const HtmlTree& tree, std::uint32_t node, std::string& out) {
    std::vector<std::uint32_t> open;
    const auto leave_until = [&](std::uint32_t i) {
        while (!open.empty() && tree[open.back()].end <= i) {
            ((out += "</") += tree.name(open.back())) += '>';
            open.pop_back();
        }
    };
    for (std::uint32_t i = node; i < tree[node].end; ++i) {
        leave_until(i);
        switch (tree[i].kind) {
            case web::NodeKind::element:
                append_start_tag(tree, i, out);
                if (!is_void(tree[i])) open.push_back(i);
                break;
            case web::NodeKind::text:
                if (has_raw_text(tree[tree[i].parent])) {
                    out += tree.text(i);
                } else {
                    append_html_text(tree.text(i), false, out);
                }
                break;
            case web::NodeKind::comment: ((out += "<!--") += tree.text(i)) += "-->"; break;
            case web::NodeKind::instruction:
                ((((out += "<?") += tree.name(i)) += ' ') += tree.text(i)) += '>';
                break;
            case web::NodeKind::doctype: ((out += "<!DOCTYPE ") += tree.name(i)) += '>'; break;
            case web::NodeKind::document: break;
        }
    }
    leave_until(tree[node].end);
}

}  // namespace weft::extract
