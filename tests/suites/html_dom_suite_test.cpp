#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "suites/conformance.h"
#include "web/tree/html_tree_builder.h"

// The standard's own cases of tree construction, as WPT has them: each has a document and its tree
// in text form.
namespace weft::web {
namespace {

struct DomCase {
    std::string data;
    std::string fragment;  // The context element; empty for a document.
    std::string document;  // The expected tree.
    bool is_scripting_on = false;
    bool is_scripting_off = false;
};

// A file has cases of sections such as "#data"; a blank line ends a case.
std::vector<DomCase> read_dom_cases(const std::string& text) {
    std::vector<DomCase> cases;
    std::string* section = nullptr;
    std::string ignored;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        if (line == "#data") {
            cases.emplace_back();
            section = &cases.back().data;
        } else if (line == "#errors" || line == "#new-errors") {
            section = &ignored;
        } else if (line == "#document-fragment") {
            section = &cases.back().fragment;
        } else if (line == "#document") {
            section = &cases.back().document;
        } else if (line == "#script-on") {
            cases.back().is_scripting_on = true;
        } else if (line == "#script-off") {
            cases.back().is_scripting_off = true;
        } else if (section) {
            *section += line + "\n";
        }
    }
    for (DomCase& one : cases) {
        if (one.data.ends_with('\n')) one.data.pop_back();
        if (one.fragment.ends_with('\n')) one.fragment.pop_back();
        while (one.document.ends_with("\n\n")) one.document.pop_back();
    }
    return cases;
}

// Attributes of these prefixes are in a namespace of their own, in foreign elements.
std::string dom_attribute_name(std::string_view name, Namespace space) {
    std::string text(name);
    if (space == Namespace::html) return text;
    for (const std::string_view known :
         {"xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title",
          "xlink:type", "xml:lang", "xml:space", "xmlns:xlink"}) {
        if (name == known) text[name.find(':')] = ' ';
    }
    return text;
}

void write_dom_element(const HtmlTree& tree, std::uint32_t i, const std::string& indent,
                       std::string& out) {
    const HtmlNode& node = tree[i];
    const std::string_view prefix = node.space == Namespace::svg      ? "svg "
                                    : node.space == Namespace::mathml ? "math "
                                                                      : "";
    ((((out += "| ") += indent) += "<") += prefix) += tree.name(i);
    out += ">\n";
    std::vector<std::string> attributes;
    for (std::size_t k = 0; k < tree.attribute_count(i); ++k) {
        const TreeAttribute attribute = tree.attribute_at(i, k);
        attributes.push_back(dom_attribute_name(attribute.name, node.space) + "=\"" +
                             std::string(attribute.value) + "\"");
    }
    std::ranges::sort(attributes);
    for (const std::string& attribute : attributes) {
        out += "| " + indent + "  " + attribute + "\n";
    }
}

void write_dom(const HtmlTree& tree, std::uint32_t i, const std::string& indent, std::string& out) {
    switch (tree[i].kind) {
        case NodeKind::document: break;
        case NodeKind::element: write_dom_element(tree, i, indent, out); break;
        case NodeKind::text:
            out += "| " + indent + "\"" + std::string(tree.text(i)) + "\"\n";
            break;
        case NodeKind::comment:
            out += "| " + indent + "<!-- " + std::string(tree.text(i)) + " -->\n";
            break;
        case NodeKind::instruction:
            out += "| " + indent + "<?" + std::string(tree.name(i)) + " " +
                   std::string(tree.text(i)) + "?>\n";
            break;
        case NodeKind::doctype: {
            out += "| " + indent + "<!DOCTYPE " + std::string(tree.name(i));
            if (tree.attribute_count(i) > 0) {
                out += " \"" + std::string(tree.attribute(i, "public").value_or("")) + "\" \"" +
                       std::string(tree.attribute(i, "system").value_or("")) + "\"";
            }
            out += ">\n";
            break;
        }
    }
    std::string inner = i == 0 ? indent : indent + "  ";
    if (tree[i].is_html(Element::template_)) {
        out += "| " + inner + "content\n";
        inner += "  ";
    }
    for (const std::uint32_t child : tree.children(i)) write_dom(tree, child, inner, out);
}

std::string dom_of(const DomCase& one, HtmlTreeBuilder& builder) {
    std::string out;
    if (one.fragment.empty()) {
        const HtmlTree& tree = builder.parse(one.data);
        write_dom(tree, 0, "", out);
        return out;
    }
    FragmentContext context{one.fragment};
    if (one.fragment.starts_with("svg ")) context = {context.name.substr(4), Namespace::svg};
    if (one.fragment.starts_with("math ")) context = {context.name.substr(5), Namespace::mathml};
    const HtmlTree& tree = builder.parse_fragment(one.data, context);
    for (const std::uint32_t child : tree.children(1)) write_dom(tree, child, "", out);
    return out;
}

TEST(HtmlDomSuite, TreesAreThoseOfTheStandard) {
    WEFT_NEEDS_SUITE("html_tree");
    suites::Tally tally("html_tree");
    HtmlTreeBuilder builder;
    HtmlTreeBuilder scripted({}, HtmlTreeBuilder::Scripting::on);
    for (const auto& file :
         std::filesystem::directory_iterator(suites::conformance_dir() / "html_tree")) {
        if (file.path().extension() != ".dat") continue;
        for (const DomCase& one : read_dom_cases(suites::read_file(file.path()))) {
            if (!one.is_scripting_on) {
                EXPECT_EQ(dom_of(one, builder), one.document)
                    << file.path().filename() << " " << one.fragment << "\n"
                    << one.data;
            }
            if (!one.is_scripting_off) {
                EXPECT_EQ(dom_of(one, scripted), one.document)
                    << "scripting " << file.path().filename() << "\n"
                    << one.data;
            }
            tally.note();
        }
    }
}

}  // namespace
}  // namespace weft::web
