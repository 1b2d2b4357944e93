#include "extract/line/text_line.h"

#include <fmt/format.h>

#include "base/escape.h"

namespace weft::extract {
namespace {

// Writes the members of one JSON object. Members without a value are left out.
class LineWriter {
public:
    explicit LineWriter(std::string& out) : out_(out) {}

    void add(std::string_view name, std::string_view value) {
        if (value.empty()) return;
        add_name(name);
        add_text(value);
    }

    void add(std::string_view name, std::size_t value) {
        if (value == 0) return;
        add_name(name);
        const fmt::format_int digits(value);
        out_.append(digits.data(), digits.size());
    }

    void add(std::string_view name, const std::vector<std::string>& values) {
        if (values.empty()) return;
        add_name(name);
        add_list(values);
    }

    void add(std::string_view name, const std::vector<NamedText>& members) {
        if (members.empty()) return;
        add_name(name);
        out_ += '{';
        is_first_ = true;
        for (const NamedText& member : members) add(member.name, member.text);
        close('}');
    }

    void add(std::string_view name, const std::vector<PageLink>& links) {
        if (links.empty()) return;
        add_name(name);
        char before = '[';
        for (const PageLink& link : links) {
            out_ += before;
            before = ',';
            out_ += '{';
            is_first_ = true;
            add("url", link.url);
            add("text", link.text);
            add("rel", link.rel);
            if (link.is_main) {
                add_name("main");
                out_ += "true";
            }
            close('}');
        }
        close(']');
    }

    void add(std::string_view name, const std::vector<ReservedStatement>& statements) {
        if (statements.empty()) return;
        add_name(name);
        char before = '[';
        for (const ReservedStatement& statement : statements) {
            out_ += before;
            before = ',';
            out_ += '{';
            is_first_ = true;
            add("from", name_of(statement.place));
            add("name", statement.name);
            add("value", statement.value);
            close('}');
        }
        close(']');
    }

    // A value that is JSON already.
    void add_json(std::string_view name, std::string_view json) {
        if (json.empty()) return;
        add_name(name);
        out_ += json;
    }

    void add(std::string_view name, const std::vector<SelectedField>& fields) {
        if (fields.empty()) return;
        add_name(name);
        out_ += '{';
        is_first_ = true;
        for (const SelectedField& field : fields) {
            if (field.values.empty()) continue;
            if (!field.is_list) {
                add(field.name, field.values.front());
            } else {
                add(field.name, field.values);
            }
        }
        close('}');
    }

private:
    // The name may come from the page: that of an Open Graph property does.
    void add_name(std::string_view name) {
        if (!is_first_) out_ += ',';
        is_first_ = false;
        add_text(name);
        out_ += ':';
    }

    // The escapes of append_for_json() take six bytes. Line ends are many in texts.
    void add_text(std::string_view text) {
        out_ += '"';
        for (;;) {
            const std::size_t end = text.find('\n');
            append_for_json(out_, text.substr(0, end));
            if (end == std::string_view::npos) break;
            out_ += "\\n";
            text.remove_prefix(end + 1);
        }
        out_ += '"';
    }

    void add_list(const std::vector<std::string>& values) {
        char before = '[';
        for (const std::string& value : values) {
            out_ += before;
            before = ',';
            add_text(value);
        }
        out_ += ']';
    }

    // Ends an object or list; a member of the object around it follows.
    void close(char bracket) {
        out_ += bracket;
        is_first_ = false;
    }

    std::string& out_;
    bool is_first_ = true;  // The next member needs no comma.
};

std::vector<std::string> names_of(const Cuts& cut) {
    std::vector<std::string> names;
    if (cut.page) names.emplace_back("page");
    if (cut.text) names.emplace_back("text");
    if (cut.links) names.emplace_back("links");
    if (cut.fields) names.emplace_back("fields");
    if (cut.structured) names.emplace_back("structured");
    return names;
}

}  // namespace

void append_text_line(const TextLine& line, std::string& out) {
    const Extract& page = line.page;
    out.reserve(out.size() + page.text.size() + page.text.size() / 8 + 1'000);
    out += '{';
    LineWriter writer(out);
    writer.add("url", line.url);
    writer.add("ts", to_iso8601(line.date, 3));
    writer.add("title", page.fields.title);
    writer.add("byline", page.fields.byline);
    writer.add("published", page.fields.published);
    writer.add("modified", page.fields.modified);
    writer.add("lang", page.fields.lang);
    writer.add("lang_detected", page.lang_detected);
    writer.add("site", page.fields.site);
    writer.add("description", page.fields.description);
    writer.add("canonical", page.fields.canonical);
    writer.add("kind", page.kind == PageKind::article ? "article" : "list");
    writer.add("words", page.word_count);
    writer.add(line.form == TextForm::markdown ? "markdown" : "text", page.text);
    writer.add("links", page.links);
    writer.add("og", page.og);
    writer.add("jsonld_types", page.jsonld_types);
    writer.add_json("structured", page.structured);
    writer.add("selected", page.selected);
    // As text: most JSON readers cannot represent such large numbers exactly.
    if (page.simhash != 0) writer.add("simhash", fmt::format("{:016x}", page.simhash));
    writer.add("near_duplicate_of", line.near_duplicate_of);
    writer.add("reserved", page.reservation.reserved);
    writer.add("withheld", page.reservation.withheld);
    writer.add("cut", names_of(page.cut));
    writer.add("empty", page.needs_script ? "needs-script" : "");
    out += "}\n";
}

}  // namespace weft::extract
