#include "crawl/scope/links.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "web/fields/link_header.h"
#include "web/html/meta_refresh.h"
#include "web/url/page_query_encoder.h"

namespace weft::crawl {
namespace {

// The link itself, its copy while the list grows, and its hash in `seen_`.
constexpr std::size_t kBytesPerHash = 48;
constexpr std::size_t kBytesPerLink = 3 * sizeof(FoundLink) + kBytesPerHash;
constexpr std::size_t kLinksStep = 16 * 1024;  // Memory is borrowed in such steps.
constexpr std::size_t kExpectedMax = 1'000;    // Reserved at once; more only after it is lent.
constexpr std::size_t kReferencesAhead = 16;   // Loads of KnownReferences that are under way.

// Whether a list of words, separated by ASCII whitespace as in `rel`, has the word.
bool has_word(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t begin = std::min(list.find_first_not_of(" \t\n\f\r"), list.size());
        list.remove_prefix(begin);
        const std::size_t end = std::min(list.find_first_of(" \t\n\f\r"), list.size());
        if (equals_ignore_case(list.substr(0, end), word)) return true;
        list.remove_prefix(end);
    }
    return false;
}

bool has_any_word(std::string_view list, std::span<const std::string_view> words) {
    return std::ranges::any_of(words,
                               [list](std::string_view word) { return has_word(list, word); });
}

// The kind of a <link> element or a Link header, by its relation. Empty: nothing to fetch, because
// it names a server to connect to, or an endpoint for programs. All that is unknown is a hint.
std::optional<Via> via_of_relation(std::string_view rel) {
    static constexpr auto kNone = std::to_array<std::string_view>(
        {"preconnect", "dns-prefetch", "pingback", "edituri", "webmention", "search", "hub"});
    static constexpr auto kNeeded =
        std::to_array<std::string_view>({"stylesheet", "icon", "apple-touch-icon", "mask-icon",
                                         "preload", "modulepreload", "manifest"});
    if (has_any_word(rel, kNone)) return std::nullopt;
    return has_any_word(rel, kNeeded) ? Via::requisite : Via::hint;
}

// The reference up to its fragment, which no link keeps: so all links into one page are alike.
// White space before the '#' would be trimmed as the end of the text, although it is a part of the
// path.
std::string_view without_fragment(std::string_view reference) {
    const std::size_t hash = reference.find('#');
    if (hash == std::string_view::npos || hash == 0) return reference.substr(0, hash);
    const bool is_after_space = static_cast<unsigned char>(reference[hash - 1]) <= ' ';
    return is_after_space ? reference : reference.substr(0, hash);
}

// A URL may be in a list as a link and as a requisite: their hashes differ.
std::uint64_t kind_of(Via via) {
    return via == Via::requisite ? std::uint64_t{1} << 32 : 0;
}

// What most references are resolved against: the URL up to the last slash of its path. The scheme
// and the host are a part of it.
std::string_view folder_of(const web::Url& url) {
    const std::string_view before_query =
        std::string_view(url.href()).substr(0, url.href().find_first_of("?#"));
    return before_query.substr(0, before_query.rfind('/') + 1);
}

}  // namespace

// Attributes of elements that are not listed here (img, script, iframe and so on) are requisites.
std::optional<Via> via_of(const web::HtmlLink& link) {
    const std::string_view element = link.element;
    const std::string_view attribute = link.attribute;
    if (element == "a" || element == "area" || element == "svg:a" || element == "math:a") {
        return attribute == "ping" ? std::nullopt : std::optional(Via::link);
    }
    if (element == "link") return via_of_relation(link.rel);
    if (attribute == "http-equiv=refresh") return Via::refresh;
    static constexpr auto kNone = std::to_array<std::string_view>(
        {"action", "formaction", "cite", "longdesc", "manifest", "profile"});
    if (std::ranges::find(kNone, attribute) != kNone.end()) return std::nullopt;
    return Via::requisite;
}

LinkList::LinkList(web::Url base, Lend lend, std::size_t count_max, const KnownReferences* known)
    : base_(std::move(base)),
      lend_(std::move(lend)),
      count_max_(count_max),
      known_(known),
      seen_(2 * count_max) {}

void LinkList::add_page(const web::HtmlPage& page, web::Encoding encoding) {
    const web::PageQueryEncoder query_encoder(encoding);
    web::UrlOptions options = web::kBoundedUrl;
    if (encoding != web::Encoding::utf_8) options.query_encoder = &query_encoder;
    if (page.base_href) {
        auto given = base_.resolve(*page.base_href, web::kBoundedUrl);
        if (given) base_ = *std::move(given);
    }
    if (!has_room(kBytesPerLink)) return;
    // References of the header fields had another base and no encoder, and so have those after.
    last_references_.fill(0);
    const std::size_t expected =
        lend_ ? std::min(page.links.size(), kExpectedMax) : page.links.size();
    links_.reserve(std::min(count_max_, links_.size() + expected));
    seen_.expect(expected);
    const std::uint64_t folder =
        hash64(folder_of(base_), secret_seed() + static_cast<std::uint64_t>(encoding));
    // A few links at a time: while one is added, what is known of the others is loaded.
    std::array<Reference, kReferencesAhead> ahead;
    std::size_t count = 0;
    const auto add_all = [&] {
        for (const Reference& each : std::span(ahead).first(count)) add_reference(each, options);
        count = 0;
    };
    for (const web::HtmlLink& link : page.links) {
        const std::optional<Via> via = via_of(link);
        if (!via) continue;
        const std::string_view text = without_fragment(link.value);
        const std::uint64_t hash = hash64(text, folder + kind_of(*via));
        if (is_repeated(hash)) continue;
        if (known_) known_->prefetch(hash);
        ahead[count++] = {.link = &link, .text = text, .via = *via, .hash = hash};
        if (count == ahead.size()) add_all();
        if (is_cut_) return;
    }
    add_all();
    last_references_.fill(0);
}

void LinkList::add_reference(const Reference& reference, const web::UrlOptions& options) {
    if (is_cut_) return;
    // A reference that is empty or only a query depends on the whole URL of the page.
    const std::string_view text = reference.text;
    const bool is_of_folder = !text.empty() && text[0] > ' ' && text[0] != '?';
    if (known_ && is_of_folder && is_known(reference.hash)) return;
    const std::string_view rel = reference.link->rel;
    const bool is_nofollow = !rel.empty() && has_word(rel, "nofollow");
    add_hashed(text, is_of_folder ? reference.hash : 0, reference.via, is_nofollow, options);
}

void LinkList::add_headers(const http::Headers& headers) {
    for (const std::string_view field : headers.get_all("Link")) {
        for (const web::HeaderLink& link : web::parse_link_header(field)) {
            // An `anchor` parameter makes the link one of another page (RFC 8288 section 3.2).
            if (link.anchor()) continue;
            const std::string_view rel = link.parameter("rel").value_or("");
            const std::optional<Via> via = via_of_relation(rel);
            if (via) add(link.target, *via, has_word(rel, "nofollow"));
        }
    }
    if (const auto field = headers.get("Refresh")) {
        const auto refresh = web::parse_meta_refresh(*field);
        if (refresh && refresh->url) add(*refresh->url, Via::refresh);
    }
}

void LinkList::add_style(const std::vector<web::CssUrl>& urls) {
    for (const web::CssUrl& url : urls) add(url.value, Via::requisite);
}

// Borrows the memory of one more link.
bool LinkList::has_room(std::size_t bytes) {
    if (!lend_) return true;
    held_bytes_ += bytes;
    if (held_bytes_ <= lent_bytes_) return true;
    const std::size_t wanted = held_bytes_ + kLinksStep;
    if (!lend_(wanted)) {
        is_cut_ = true;
        return false;
    }
    lent_bytes_ = wanted;
    return true;
}

// Whether the same text came before, as a link of the same kind.
bool LinkList::is_repeated(std::uint64_t reference_hash) {
    std::uint64_t& last = last_references_[reference_hash % last_references_.size()];
    return std::exchange(last, reference_hash) == reference_hash;
}

// Whether the link is known; then it is counted. Different references may have the same URL.
bool LinkList::is_known(std::uint64_t reference_hash) {
    const std::optional<std::uint64_t> url_hash = known_->find(reference_hash);
    if (!url_hash || !has_room(kBytesPerHash)) return false;
    if (seen_.insert(*url_hash)) ++known_count_;
    return true;
}

void LinkList::add(std::string_view reference, Via via, bool is_nofollow,
                   const web::UrlOptions& options) {
    reference = without_fragment(reference);
    if (is_repeated(hash64(reference, secret_seed() + kind_of(via)))) return;
    add_hashed(reference, 0, via, is_nofollow, options);
}

void LinkList::add_hashed(std::string_view reference, std::uint64_t reference_hash, Via via,
                          bool is_nofollow, const web::UrlOptions& options) {
    if (is_cut_) return;
    auto url = base_.resolve(reference, options);
    if (!url || !url->is_http()) return;
    if (url->has_fragment()) *url = url->without_fragment();
    if (url->has_credentials()) {  // They must not be stored or sent (H121).
        url->set_username("");
        url->set_password("");
    }
    const std::uint64_t url_hash = hash64(url->href(), secret_seed() + kind_of(via));
    if (!seen_.insert(url_hash)) return;
    // Its URL here, and once more on its way to the frontier.
    if (links_.size() >= count_max_ || !has_room(kBytesPerLink + 2 * url->href().size())) {
        is_cut_ = true;
        return;
    }
    links_.push_back({*std::move(url), via, is_nofollow, reference_hash, url_hash});
}

}  // namespace weft::crawl
