#include "extract/fields/json_ld.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/bytes.h"
#include "extract/content/page_marks.h"
#include "extract/fields/json_depth.h"

namespace weft::extract {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kTypesMax = 32;
constexpr std::size_t kAuthorsMax = 8;

std::string_view without_wrapper(std::string_view text) {
    text = trim(text);
    // A comment before the data, or one around it.
    const std::size_t comment_end = text.starts_with("<!--") ? text.find("-->") : text.npos;
    if (comment_end < text.find_first_of("{[")) text.remove_prefix(comment_end + 3);
    for (const std::string_view front : {"<!--", "//<![CDATA[", "<![CDATA[", "/*<![CDATA[*/"}) {
        text = trim(text);
        if (text.starts_with(front)) text.remove_prefix(front.size());
    }
    for (const std::string_view back : {"-->", "//]]>", "]]>", "/*]]>*/", ";"}) {
        text = trim(text);
        if (text.ends_with(back)) text.remove_suffix(back.size());
    }
    return text;
}

// JSON forbids raw control characters in strings, and people write them: line ends, tabs.
std::string with_escaped_controls(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool is_in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool is_escape = is_in_string && c == '\\' && i + 1 < text.size();
        if (c == '"') is_in_string = !is_in_string;
        if (static_cast<unsigned char>(c) >= ' ' || !is_in_string) {
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else {
            out += ' ';
        }
        if (is_escape) out += text[++i];
    }
    return out;
}

std::optional<Json> parse_script(std::string_view text) {
    text = without_wrapper(text);
    if (is_json_deeper(text, kJsonLdDepthMax)) return std::nullopt;
    const bool ignores_comments = true;
    Json parsed = Json::parse(with_escaped_controls(text), nullptr, false, ignores_comments);
    if (parsed.is_discarded()) return std::nullopt;
    return parsed;
}

std::string text_at(const Json& thing, const char* key) {
    const auto found = thing.find(key);
    if (found == thing.end() || !found->is_string()) return {};
    std::string text = found->get<std::string>();
    std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return text;
}

// "NewsArticle" from "http://schema.org/NewsArticle".
std::string short_type(std::string type) {
    const std::size_t slash = type.find_last_of("/:#");
    return slash == type.npos ? type : type.substr(slash + 1);
}

std::vector<std::string> types_of(const Json& thing) {
    std::vector<std::string> out;
    const auto found = thing.find("@type");
    if (found == thing.end()) return out;
    if (found->is_string()) out.push_back(short_type(found->get<std::string>()));
    if (!found->is_array()) return out;
    for (const Json& type : *found) {
        if (type.is_string() && out.size() < kTypesMax)
            out.push_back(short_type(type.get<std::string>()));
    }
    return out;
}

bool is_article_type(std::string_view type) {
    return type.ends_with("Article") || type.ends_with("BlogPosting") ||
           type.ends_with("Posting") || type == "Report" || type == "Review" || type == "Recipe" ||
           type == "Question" || type == "VideoObject";
}

class JsonLdReader {
public:
    JsonLdFacts take_facts() {
        if (facts_.author.empty()) facts_.author = std::move(other_.author);
        if (facts_.headline.empty()) facts_.headline = std::move(other_.headline);
        if (facts_.published.empty()) facts_.published = std::move(other_.published);
        if (facts_.modified.empty()) facts_.modified = std::move(other_.modified);
        if (facts_.description.empty()) facts_.description = std::move(other_.description);
        return std::move(facts_);
    }

    void read(const Json& value, int depth) {
        if (value.is_array()) {
            for (const Json& item : value) read(item, depth + 1);
        } else if (value.is_object()) {
            read_thing(value, depth);
        }
    }

    // Persons of a @graph, which others name by @id.
    void read_names(const Json& value) {
        if (value.is_array()) {
            for (const Json& item : value) read_names(item);
        } else if (value.is_object()) {
            const std::string id = text_at(value, "@id");
            const std::string name = text_at(value, "name");
            if (!id.empty() && !name.empty()) names_.emplace_back(id, name);
            if (const auto graph = value.find("@graph"); graph != value.end()) read_names(*graph);
        }
    }

private:
    void read_thing(const Json& thing, int depth) {
        bool is_article = false;
        for (std::string& type : types_of(thing)) {
            is_article |= is_article_type(type);
            facts_.is_forum |= is_forum_type(type);
            if (type == "WebSite" && facts_.site.empty()) facts_.site = text_at(thing, "name");
            if (depth < 3 && facts_.types.size() < kTypesMax &&
                std::ranges::find(facts_.types, type) == facts_.types.end())
                facts_.types.push_back(std::move(type));
        }
        facts_.is_article |= is_article;
        fill(is_article ? facts_ : other_, thing);
        for (const char* inner : {"@graph", "mainEntity", "mainEntityOfPage", "hasPart"}) {
            if (const auto found = thing.find(inner); found != thing.end()) read(*found, depth + 1);
        }
    }

    static void set(std::string& field, std::string value) {
        if (field.empty()) field = std::move(value);
    }

    void fill(JsonLdFacts& facts, const Json& thing) {
        set(facts.headline, text_at(thing, "headline"));
        if (&facts == &facts_) set(facts.headline, text_at(thing, "name"));
        set(facts.published, text_at(thing, "datePublished"));
        set(facts.published, text_at(thing, "dateCreated"));
        set(facts.published, text_at(thing, "uploadDate"));
        set(facts.modified, text_at(thing, "dateModified"));
        set(facts.description, text_at(thing, "description"));
        if (facts.author.empty()) {
            if (const auto author = thing.find("author"); author != thing.end()) {
                int count = 0;
                add_author(*author, facts.author, count);
            }
        }
        if (const auto publisher = thing.find("publisher"); publisher != thing.end())
            set(facts_.site, name_of_thing(*publisher));
        std::string body = text_at(thing, "articleBody");
        if (body.size() > facts_.article_body.size()) facts_.article_body = std::move(body);
    }

    std::string name_of_thing(const Json& thing) const {
        if (thing.is_string()) return thing.get<std::string>();
        if (!thing.is_object()) return {};
        std::string name = text_at(thing, "name");
        if (!name.empty()) return name;
        const std::string id = text_at(thing, "@id");
        for (const auto& [known, its_name] : names_) {
            if (known == id) return its_name;
        }
        return {};
    }

    void add_author(const Json& author, std::string& out, int& count) const {
        if (author.is_array()) {
            for (const Json& one : author) {
                if (!one.is_array()) add_author(one, out, count);
            }
            return;
        }
        const std::string name = name_of_thing(author);
        if (name.empty() || name.contains("://") || count >= static_cast<int>(kAuthorsMax)) return;
        if (out.contains(name)) return;
        if (count++ > 0) out += ", ";
        out += name;
    }

    JsonLdFacts facts_;
    JsonLdFacts other_;                                       // Of things that are no articles.
    std::vector<std::pair<std::string, std::string>> names_;  // By @id.
};

// Articles in JSON-LD may have markup in their body.
std::string without_tags(std::string_view text) {
    std::string out;
    bool is_in_tag = false;
    for (const char c : text) {
        if (c == '<') {
            is_in_tag = true;
            out += ' ';
        } else if (c == '>' && is_in_tag) {
            is_in_tag = false;
        } else if (!is_in_tag) {
            out += c;
        }
    }
    return out;
}

// Adds the things of a script to a JSON list, which is not closed yet.
void append_whole(const Json& parsed, std::string& out) {
    const auto append = [&](const Json& thing) {
        out += out.empty() ? '[' : ',';
        // tidy: allow banned-call: for a program to read, not for a terminal
        out += thing.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (parsed.is_array()) {
        for (const Json& thing : parsed) append(thing);
    } else {
        append(parsed);
    }
}

}  // namespace

JsonLdFacts read_json_ld(const web::HtmlTree& tree, std::string* whole) {
    JsonLdReader reader;
    std::size_t bytes = 0;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (!tree[i].is_html(web::Element::script)) continue;
        const std::string_view type = tree.attribute(i, "type").value_or("");
        if (!type.contains("ld+json") || i + 1 >= tree[i].end) continue;
        const std::string_view text = tree.text(i + 1);
        bytes += text.size();
        if (bytes > kJsonLdBytesMax) break;
        const std::optional<Json> parsed = parse_script(text);
        if (!parsed) continue;
        reader.read_names(*parsed);
        reader.read(*parsed, 0);
        if (whole) append_whole(*parsed, *whole);
    }
    if (whole && !whole->empty()) *whole += ']';
    JsonLdFacts facts = reader.take_facts();
    facts.article_body = without_tags(facts.article_body);
    return facts;
}

}  // namespace weft::extract
