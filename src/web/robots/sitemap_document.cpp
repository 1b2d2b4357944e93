#include "web/robots/sitemap_document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/bytes.h"
#include "base/limits.h"

namespace weft::web {
namespace {

constexpr std::string_view kProtocolUri = "http://www.sitemaps.org/schemas/sitemap/0.9";

// Limits for namespace declarations. A sensible document has fewer and shorter ones.
constexpr std::size_t kNamespaceCountMax = 64;
constexpr std::size_t kPrefixBytesMax = 64;
constexpr std::size_t kUriBytesMax = 256;

std::pair<std::string_view, std::string_view> split_name(std::string_view name) {
    const std::size_t colon = name.find(':');
    if (colon == std::string_view::npos) return {{}, name};
    return {name.substr(0, colon), name.substr(colon + 1)};
}

std::optional<ChangeFrequency> parse_frequency(std::string_view text) {
    static constexpr std::array<std::string_view, 7> kFrequencies = {
        "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"};
    const auto found = std::ranges::find_if(
        kFrequencies, [&](std::string_view name) { return equals_ignore_case(name, text); });
    if (found == kFrequencies.end()) return std::nullopt;
    return static_cast<ChangeFrequency>(found - kFrequencies.begin());
}

std::optional<double> parse_priority(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_good = error == std::errc() && end == text.data() + text.size();
    if (!is_good || !(value >= 0 && value <= 1)) return std::nullopt;
    return value;
}

// Sitemaps and Atom have W3C dates, RSS has mail dates. Both are accepted everywhere.
std::optional<DateMilliseconds> parse_date(std::string_view text) {
    if (const auto date = parse_w3c_date(text)) return *date;
    if (const auto date = parse_mail_date(text)) return DateMilliseconds(*date);
    return std::nullopt;
}

template <class T>
void add_bounded(std::vector<T>& list, T value) {
    if (list.size() < limits::kSitemapExtraCountMax) list.push_back(std::move(value));
}

}  // namespace

bool is_web_url(std::string_view text) {
    return starts_with_ignore_case(text, "http://") || starts_with_ignore_case(text, "https://");
}

void SitemapDocument::on_start(const XmlTag& tag, std::size_t depth) {
    if (tag.attributes.contains("xmlns")) declare_namespaces(tag, depth);
    if (!is_root_known_) {
        start_root(tag);
        return;
    }
    // Elements inside a field belong to its text.
    if (!kind_ || field_depth_ != 0) return;
    const auto [prefix, local] = split_name(tag.name);
    const Vocabulary vocabulary = vocabulary_of(prefix);
    if (entry_depth_ == 0) {
        if (!starts_entry(local, vocabulary)) return;
        entry_ = SitemapEntry();
        entry_depth_ = depth;
        has_location_ = false;
        guid_.clear();
        own_text_.clear();
        return;
    }
    start_in_entry(tag, local, vocabulary);
    if (!wants_text(local, vocabulary)) return;
    field_depth_ = depth;
    field_vocabulary_ = vocabulary;
    field_ = local;
    text_.clear();
    is_text_cut_ = false;
}

void SitemapDocument::on_end(std::string_view, std::size_t depth) {
    if (field_depth_ == depth) {
        field_depth_ = 0;
        if (!is_text_cut_ && !is_cut_) take(trim(text_));
    }
    if (entry_depth_ == depth) end_entry();
    while (!namespaces_.empty() && namespaces_.back().depth == depth) namespaces_.pop_back();
}

void SitemapDocument::on_text(std::string_view text) {
    if (entry_depth_ == 0) return;
    // White space at the front is dropped, so that it cannot fill the buffer.
    std::string& out = field_depth_ != 0 ? text_ : own_text_;
    if (out.empty()) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    }
    const std::size_t room = limits::kUrlBytesMax - out.size();
    if (text.size() > room) {
        const std::string_view rest = text.substr(room);
        if (rest.find_first_not_of(" \t\r\n") != std::string_view::npos) is_text_cut_ = true;
        text = text.substr(0, room);
    }
    out += text;
}

void SitemapDocument::declare_namespaces(const XmlTag& tag, std::size_t depth) {
    std::string_view rest = tag.attributes;
    while (const auto attribute = XmlTag::next_attribute(rest)) {
        if (namespaces_.size() == kNamespaceCountMax) return;
        const auto [prefix, local] = split_name(attribute->name);
        if (attribute->name != "xmlns" && prefix != "xmlns") continue;
        if (local.size() > kPrefixBytesMax) continue;
        namespaces_.push_back(
            {.prefix = std::string(prefix.empty() ? "" : local),
             .uri = decode_xml_references(attribute->raw_value.substr(0, kUriBytesMax)),
             .depth = depth});
    }
}

std::string_view SitemapDocument::uri_of(std::string_view prefix) const {
    const auto found = std::find_if(namespaces_.rbegin(), namespaces_.rend(),
                                    [&](const Namespace& n) { return n.prefix == prefix; });
    return found == namespaces_.rend() ? std::string_view() : found->uri;
}

// The namespace decides. If the prefix is not declared, the usual prefix of a vocabulary decides.
SitemapDocument::Vocabulary SitemapDocument::vocabulary_of(std::string_view prefix) const {
    const std::string_view uri = uri_of(prefix);
    if (uri == root_uri_ && (!uri.empty() || prefix.empty())) return Vocabulary::core;
    if (uri.contains("sitemap-image") || (uri.empty() && prefix == "image")) {
        return Vocabulary::image;
    }
    if (uri.contains("sitemap-video") || (uri.empty() && prefix == "video")) {
        return Vocabulary::video;
    }
    if (uri.contains("sitemap-news") || (uri.empty() && prefix == "news")) return Vocabulary::news;
    if (uri.contains("1999/xhtml") || (uri.empty() && prefix == "xhtml")) return Vocabulary::xhtml;
    if (options_.strict_namespace) return Vocabulary::other;
    // Other versions and spellings of the protocol's namespace are accepted.
    const bool is_core = (uri.empty() && prefix.empty()) || uri.contains("schemas/sitemap/0");
    return is_core ? Vocabulary::core : Vocabulary::other;
}

void SitemapDocument::start_root(const XmlTag& tag) {
    is_root_known_ = true;
    const auto [prefix, local] = split_name(tag.name);
    root_uri_ = uri_of(prefix);
    if (equals_ignore_case(local, "urlset")) {
        kind_ = SitemapKind::urlset;
    } else if (equals_ignore_case(local, "sitemapindex")) {
        kind_ = SitemapKind::index;
    } else if (equals_ignore_case(local, "rss")) {
        kind_ = SitemapKind::rss;
    } else if (equals_ignore_case(local, "rdf")) {
        // In RSS 1.0 the items have the default namespace, not that of the root element.
        kind_ = SitemapKind::rss;
        root_uri_ = uri_of("");
    } else if (equals_ignore_case(local, "feed")) {
        kind_ = SitemapKind::atom;
    }
    const bool is_protocol = kind_ == SitemapKind::urlset || kind_ == SitemapKind::index;
    has_wrong_namespace_ = options_.strict_namespace && is_protocol && root_uri_ != kProtocolUri;
    if (has_wrong_namespace_) kind_.reset();
}

bool SitemapDocument::starts_entry(std::string_view local, Vocabulary vocabulary) const {
    if (vocabulary != Vocabulary::core) return false;
    switch (kind_.value_or(SitemapKind::text)) {
        case SitemapKind::urlset: return equals_ignore_case(local, "url");
        case SitemapKind::index: return equals_ignore_case(local, "sitemap");
        case SitemapKind::rss: return local == "item";
        case SitemapKind::atom: return local == "entry";
        case SitemapKind::text: break;
    }
    return false;
}

// Handles elements whose presence or attributes matter, not their text.
void SitemapDocument::start_in_entry(const XmlTag& tag, std::string_view local,
                                     Vocabulary vocabulary) {
    if (vocabulary == Vocabulary::video && local == "video") {
        add_bounded(entry_.videos, SitemapVideo());
    } else if (vocabulary == Vocabulary::news && local == "news") {
        entry_.news.emplace();
    } else if (vocabulary == Vocabulary::xhtml && local == "link") {
        std::optional<std::string> url = tag.attribute("href");
        if (!url || url->size() > limits::kUrlBytesMax) return;
        if (tag.attribute("rel") != "alternate") return;
        add_bounded(entry_.alternates,
                    {tag.attribute("hreflang").value_or(""), std::string(trim(*url))});
    } else if (kind_ == SitemapKind::atom && vocabulary == Vocabulary::core && local == "link") {
        const std::string relation = tag.attribute("rel").value_or("alternate");
        const std::optional<std::string> url = tag.attribute("href");
        if (url && !has_location_ && relation == "alternate") take_location(trim(*url));
    }
}

bool SitemapDocument::wants_text(std::string_view local, Vocabulary vocabulary) const {
    static constexpr std::array<std::string_view, 4> kCore = {"loc", "lastmod", "changefreq",
                                                              "priority"};
    static constexpr std::array<std::string_view, 6> kFeed = {"link",    "guid",      "pubDate",
                                                              "updated", "published", "date"};
    static constexpr std::array<std::string_view, 4> kVideo = {"content_loc", "player_loc",
                                                               "thumbnail_loc", "title"};
    const auto is_in = [&](const auto& names) {
        return std::ranges::any_of(
            names, [&](std::string_view name) { return equals_ignore_case(name, local); });
    };
    const bool is_feed = kind_ == SitemapKind::rss || kind_ == SitemapKind::atom;
    switch (vocabulary) {
        case Vocabulary::core: return is_feed ? is_in(kFeed) : is_in(kCore);
        case Vocabulary::image: return local == "loc";
        case Vocabulary::video: return is_in(kVideo) && !entry_.videos.empty();
        case Vocabulary::news:
            return entry_.news && (local == "title" || local == "publication_date");
        case Vocabulary::xhtml: return false;
        case Vocabulary::other: return is_feed && local == "date";  // Dublin Core's.
    }
    std::unreachable();
}

void SitemapDocument::take(std::string_view value) {
    if (value.empty()) return;
    switch (field_vocabulary_) {
        case Vocabulary::image: add_bounded(entry_.images, std::string(value)); break;
        case Vocabulary::video: take_video(value); break;
        case Vocabulary::news:
            if (field_ == "title") {
                entry_.news->title = value;
            } else {
                entry_.news->published = parse_date(value);
            }
            break;
        case Vocabulary::core:
        case Vocabulary::other:
            if (kind_ == SitemapKind::rss || kind_ == SitemapKind::atom) {
                take_feed(value);
            } else {
                take_core(value);
            }
            break;
        case Vocabulary::xhtml: break;
    }
}

void SitemapDocument::take_core(std::string_view value) {
    if (equals_ignore_case(field_, "loc")) {
        // Some sitemaps have several <loc> in one <url>. Each becomes an entry of its own.
        if (has_location_) emit();
        take_location(value);
    } else if (equals_ignore_case(field_, "lastmod")) {
        entry_.modified = parse_date(value);
    } else if (equals_ignore_case(field_, "changefreq")) {
        entry_.change_frequency = parse_frequency(value);
    } else {
        entry_.priority = parse_priority(value);
    }
}

void SitemapDocument::take_feed(std::string_view value) {
    if (field_ == "link") {
        if (kind_ == SitemapKind::rss && !has_location_) take_location(value);
    } else if (field_ == "guid") {
        guid_ = value;
    } else if (field_ == "updated" || !entry_.modified) {  // "updated" wins over "published".
        entry_.modified = parse_date(value);
    }
}

void SitemapDocument::take_video(std::string_view value) {
    SitemapVideo& video = entry_.videos.back();
    if (field_ == "content_loc") {
        video.content = value;
    } else if (field_ == "player_loc") {
        video.player = value;
    } else if (field_ == "thumbnail_loc") {
        video.thumbnail = value;
    } else {
        video.title = value;
    }
}

void SitemapDocument::take_location(std::string_view value) {
    if (value.size() > limits::kUrlBytesMax) return;
    entry_.location = value;
    has_location_ = true;
}

void SitemapDocument::end_entry() {
    // An RSS guid may be the URL of the item or any other text.
    if (!has_location_ && is_web_url(guid_)) take_location(guid_);
    const bool is_protocol = kind_ == SitemapKind::urlset || kind_ == SitemapKind::index;
    const std::string_view own = trim(own_text_);
    const bool is_own_whole = !is_cut_ && own_text_.size() < limits::kUrlBytesMax &&
                              own.find_first_of(" \t\r\n") == std::string_view::npos;
    if (!has_location_ && is_protocol && is_own_whole && is_web_url(own)) take_location(own);
    if (has_location_) emit();
    entry_depth_ = 0;
    field_depth_ = 0;
}

// Also called in the middle of an entry, for its second <loc>: the rest goes to a new entry.
void SitemapDocument::emit() {
    on_entry_(std::exchange(entry_, SitemapEntry()));
    has_location_ = false;
}

}  // namespace weft::web
