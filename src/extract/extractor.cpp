#include "extract/extractor.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/escape.h"
#include "extract/content/main_content.h"
#include "extract/fields/field_text.h"
#include "extract/fields/json_ld.h"
#include "extract/fields/language.h"
#include "extract/fields/metadata.h"
#include "extract/fields/microdata.h"
#include "extract/fields/open_graph.h"
#include "extract/line/line_links.h"
#include "extract/rules/rule_reader.h"
#include "extract/text/link_target.h"
#include "extract/text/markdown.h"
#include "extract/text/plain_text.h"
#include "web/charset/page_decoder.h"
#include "web/html/fingerprint.h"
#include "web/tree/html_tree_builder.h"
#include "web/url/url.h"

namespace weft::extract {
namespace {

// A shorter articleBody is a teaser.
constexpr std::uint32_t kArticleBodyCharsMin = 400;

constexpr std::size_t kOpenGraphCountMax = 64;
constexpr std::size_t kOpenGraphNameBytesMax = 100;
constexpr std::size_t kOpenGraphTextBytesMax = 2'000;

std::size_t count_words(std::string_view text) {
    std::size_t count = 0;
    bool is_in_word = false;
    for (const char c : text) {
        const bool is_word = static_cast<unsigned char>(c) > ' ';
        count += is_word && !is_in_word;
        is_in_word = is_word;
    }
    return count;
}

// The words of a text without regard to case: runs of letters, digits and bytes beyond ASCII.
std::unordered_set<std::string> words_of(std::string_view text) {
    std::unordered_set<std::string> words;
    std::string word;
    for (const char c : text) {
        if (is_alnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80) {
            word += to_lower(c);
        } else if (!word.empty()) {
            words.insert(std::exchange(word, {}));
        }
    }
    if (!word.empty()) words.insert(std::move(word));
    return words;
}

// Whether the page's data has an article that its HTML does not show: less than half of its words
// are in the text.
bool is_missing_from(std::string_view article_body, std::string_view text) {
    if (count_visible(article_body) < kArticleBodyCharsMin) return false;
    const auto wanted = words_of(article_body);
    const auto there = words_of(text);
    const auto count = std::ranges::count_if(
        wanted, [&](const std::string& word) { return there.contains(word); });
    return 2 * static_cast<std::size_t>(count) < wanted.size();
}

bool has_script(const web::HtmlTree& tree) {
    return tree.find(web::Element::script) != 0;
}

// The URL against which the page's references are resolved, if it is known: that of the first
// <base> with a href, or the page's own.
std::optional<web::Url> base_of(const web::HtmlTree& tree, std::string_view page_url) {
    auto url = web::Url::parse(page_url);
    if (!url) return std::nullopt;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (!tree[i].is_html(web::Element::base)) continue;
        const auto href = tree.attribute(i, "href");
        if (!href) continue;
        const auto target = link_target(*href, &*url);
        auto base = target ? web::Url::parse(*target) : url;
        return base ? *std::move(base) : *std::move(url);
    }
    return *std::move(url);
}

// The properties of Open Graph, each name once: that of several pictures is the first.
std::vector<NamedText> open_graph(const MetaTags& metas) {
    std::vector<NamedText> found;
    for (const MetaTag& tag : metas.all()) {
        if (tag.name.size() <= 3 || !equals_ignore_case(tag.name.substr(0, 3), "og:")) continue;
        if (found.size() == kOpenGraphCountMax) break;
        const std::string name = to_lower(utf8_prefix(tag.name.substr(3), kOpenGraphNameBytesMax));
        if (std::ranges::find(found, name, &NamedText::name) != found.end()) continue;
        found.push_back({name, collapsed(tag.content, kOpenGraphTextBytesMax)});
    }
    return found;
}

void cut_at_character(std::string& text, std::size_t max) {
    std::size_t end = max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
}

}  // namespace

class Extractor::Impl {
public:
    explicit Impl(Wishes wishes) : wishes_(std::move(wishes)), rules_(wishes_.rules) {}

    const Extract& read(const Source& source) {
        if (memory_bytes() > kExtractorBytesMax) *this = Impl(wishes_);
        out_ = {};
        web::PageDecoder decoder(source.content_type);
        utf8_.assign(decoder.feed(source.html));
        utf8_ += decoder.finish();
        const web::HtmlTree& tree = builder_.parse(utf8_);
        out_.cut.page = tree.is_cut();
        const std::optional<web::Url> base = base_of(tree, source.url);
        std::string whole_json_ld;
        JsonLdFacts json_ld = read_json_ld(tree, wishes_.structured ? &whole_json_ld : nullptr);
        content_.read(tree, {.url = source.url,
                             .is_forum = json_ld.is_forum,
                             .leaves_captions =
                                 wishes_.text != TextForm::markdown && !wishes_.keeps_captions});
        out_.kind = content_.kind();
        metas_.read(tree);
        out_.fields = read_metadata({.tree = tree,
                                     .metas = metas_,
                                     .json_ld = json_ld,
                                     .kept = content_.kept(),
                                     .url = source.url,
                                     .days = {.last = source.last_day}});
        if (base && !out_.fields.canonical.empty())
            out_.fields.canonical = link_target(out_.fields.canonical, &*base).value_or("");
        out_.og = open_graph(metas_);
        read_reservation(source);
        write(tree, base ? &*base : nullptr, json_ld);
        if (wishes_.structured && out_.reservation.withheld.empty())
            write_structured(whole_json_ld, microdata_json(tree, base ? &*base : nullptr));
        out_.jsonld_types = std::move(json_ld.types);
        if (out_.reservation.withheld.empty())
            rules_.read(tree, source.url, base ? &*base : nullptr, out_);
        if (wishes_.lists_links) {
            out_.cut.links =
                !read_line_links(tree, content_.kept(), base ? &*base : nullptr, out_.links);
        }
        return out_;
    }

    Extract take() { return std::move(out_); }

    std::size_t memory_bytes() const {
        return builder_.memory_bytes() + content_.memory_bytes() + utf8_.capacity() +
               plain_.capacity() + out_.text.capacity();
    }

private:
    KeptNodes kept(const web::HtmlTree& tree) const {
        return wishes_.whole_page ? KeptNodes{.root = tree.find(web::Element::body)}
                                  : content_.kept();
    }

    void read_reservation(const Source& source) {
        std::vector<NamedValue> metas;
        for (const MetaTag& meta : metas_.all()) {
            if (is_reservation_name(meta.name) || equals_ignore_case(meta.name, source.agent))
                metas.push_back({meta.name, meta.content});
        }
        out_.reservation = extract::read_reservation({.url = source.url,
                                                      .agent = source.agent,
                                                      .robots = source.robots,
                                                      .tdm = source.tdm,
                                                      .headers = source.headers,
                                                      .metas = metas},
                                                     wishes_.purpose);
        Reservation& found = out_.reservation;
        if (wishes_.keeps_reserved) found.overruled = std::exchange(found.withheld, {});
    }

    void write(const web::HtmlTree& tree, const web::Url* base, const JsonLdFacts& json_ld) {
        std::string& text = out_.text;
        if (wishes_.text == TextForm::markdown) {
            write_markdown(tree, kept(tree), base, text);
        } else {
            write_plain_text(tree, kept(tree), text);
        }
        const bool takes_article_body =
            !wishes_.whole_page && is_missing_from(json_ld.article_body, text);
        if (takes_article_body) text = json_ld.article_body + "\n";
        out_.needs_script = count_visible(std::string_view(text).substr(
                                0, 8 * kNeedsScriptCharsMax)) < kNeedsScriptCharsMax &&
                            has_script(tree);
        // The marks and URLs of Markdown are no words of the page.
        const bool wants_words = wishes_.takes_simhash || wishes_.detects_language;
        const bool is_plain = wishes_.text != TextForm::markdown || takes_article_body;
        plain_.clear();
        if (wants_words && !is_plain) write_plain_text(tree, kept(tree), plain_);
        const std::string_view words = is_plain ? text : plain_;
        if (wishes_.takes_simhash) take_simhash(words);
        if (wishes_.detects_language) out_.lang_detected = detect_language(words);
        if (text.size() > kTextBytesMax) {
            cut_at_character(text, kTextBytesMax);
            out_.cut.text = true;
        }
        out_.word_count = count_words(text);
        if (wishes_.text == TextForm::none || !out_.reservation.withheld.empty()) text.clear();
    }

    void write_structured(std::string_view json_ld, std::string_view microdata) {
        std::string& out = out_.structured;
        const auto add = [&](std::string_view name, std::string_view json) {
            if (json.empty()) return;
            out += out.empty() ? "{\"" : ",\"";
            ((out += name) += "\":") += json;
        };
        add("jsonld", json_ld);
        add("microdata", microdata);
        if (!out.empty()) out += '}';
    }

    void take_simhash(std::string_view words) {
        web::TextFingerprint fingerprint;
        fingerprint.add(words);
        out_.simhash = fingerprint.finish();
        out_.simhash_word_count = fingerprint.word_count();
    }

    Wishes wishes_;
    web::HtmlTreeBuilder builder_;
    MainContent content_;
    MetaTags metas_;
    RuleReader rules_;
    std::string utf8_;
    std::string plain_;
    Extract out_;
};

Extractor::Extractor(Wishes wishes) : impl_(std::make_unique<Impl>(std::move(wishes))) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;

const Extract& Extractor::read(const Source& source) {
    return impl_->read(source);
}
Extract Extractor::take() {
    return impl_->take();
}
std::size_t Extractor::memory_bytes() const {
    return impl_->memory_bytes();
}

}  // namespace weft::extract
