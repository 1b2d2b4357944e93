#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "crawl/scope/recent_set.h"
#include "crawl/visit/trail.h"
#include "http/message/headers.h"
#include "web/charset/encoding.h"
#include "web/html/css.h"
#include "web/html/html.h"
#include "web/url/url.h"

namespace weft::crawl {

// A link of a page, not yet judged by the scope.
struct FoundLink {
    web::Url url;
    Via via = Via::link;
    bool is_nofollow = false;  // The link says rel=nofollow. This is recorded, not obeyed.

    // Hashes for KnownReferences: of the reference with its base (0: it has none), and of the URL.
    std::uint64_t reference_hash = 0;
    std::uint64_t url_hash = 0;
};

// Remembers references of pages whose URLs were admitted. The pages of a folder repeat the same
// navigation links: such a link need not be resolved again. A new reference takes the place of an
// older one, so a reference that is not found means nothing. Used on one loop.
class KnownReferences {
public:
    KnownReferences() : entries_(kEntryCount) {}

    // The url_hash of a known reference.
    std::optional<std::uint64_t> find(std::uint64_t reference_hash) const {
        const KnownReference& entry = entries_[reference_hash % kEntryCount];
        if (entry.reference_hash != reference_hash) return std::nullopt;
        return entry.url_hash;
    }

    // Starts to load what find() will look at.
    void prefetch(std::uint64_t reference_hash) const {
        __builtin_prefetch(&entries_[reference_hash % kEntryCount]);
    }

    // The link was admitted, now or before.
    void add(const FoundLink& link) {
        if (link.reference_hash == 0) return;
        entries_[link.reference_hash % kEntryCount] = {link.reference_hash, link.url_hash};
    }

private:
    struct KnownReference {
        std::uint64_t reference_hash = 0;
        std::uint64_t url_hash = 0;
    };
    static constexpr std::size_t kEntryCount = 1 << 15;  // 512 KiB.

    std::vector<KnownReference> entries_;
};

// The kind of link that an HTML attribute is. Empty if its URL is not to be fetched with GET: that
// of a form, a ping or a citation.
std::optional<Via> via_of(const web::HtmlLink& link);

// Collects the links of a page: resolved, without fragment, user and password, without duplicates,
// in the order of the page, at most `count_max`. URLs that are not http or https are left out. A
// local object of one visit.
class LinkList {
public:
    // Called before the links take `bytes` in all. False: no more links are added.
    using Lend = std::function<bool(std::size_t bytes)>;

    // `base`: the URL of the page. An empty `lend` always lends. Links of the page that are `known`
    // (may be null; outlives the list) are only counted.
    explicit LinkList(web::Url base, Lend lend = {},
                      std::size_t count_max = web::HtmlOptions().link_count_max,
                      const KnownReferences* known = nullptr);

    // Adds the links for which via_of() gives a kind. A <base> of the page changes the base for all
    // further links. `encoding` is the page's: queries of its links are encoded with it (WHATWG
    // URL, "query state").
    void add_page(const web::HtmlPage& page, web::Encoding encoding);

    // Adds the links of the Link and Refresh header fields.
    void add_headers(const http::Headers& headers);

    void add_style(const std::vector<web::CssUrl>& urls);

    // Adds one reference, resolved against the base. Invalid ones are ignored.
    void add(std::string_view reference, Via via, bool is_nofollow = false,
             const web::UrlOptions& options = web::kBoundedUrl);

    std::vector<FoundLink> take() { return std::move(links_); }
    std::size_t size() const { return links_.size(); }

    // How many different links of the page are left out because they are known.
    std::size_t known_count() const { return known_count_; }

    // Whether links were left out because of the count or the memory.
    bool is_cut() const { return is_cut_; }

private:
    // A link of a page before it is resolved.
    struct Reference {
        const web::HtmlLink* link = nullptr;
        std::string_view text;
        Via via = Via::link;
        std::uint64_t hash = 0;  // Of the text, the base and the kind.
    };

    bool has_room(std::size_t bytes);
    void add_reference(const Reference& reference, const web::UrlOptions& options);
    void add_hashed(std::string_view reference, std::uint64_t reference_hash, Via via,
                    bool is_nofollow, const web::UrlOptions& options);
    bool is_repeated(std::uint64_t reference_hash);
    bool is_known(std::uint64_t reference_hash);

    web::Url base_;
    Lend lend_;
    std::size_t count_max_;
    const KnownReferences* known_;
    std::size_t known_count_ = 0;
    std::size_t held_bytes_ = 0;  // What the links take.
    std::size_t lent_bytes_ = 0;  // What lend_ has granted; at least held_bytes_.
    bool is_cut_ = false;
    std::vector<FoundLink> links_;
    // Hashes of the references that came last, each at the place that it chooses: most repeated
    // links are found here, before they are resolved.
    std::array<std::uint64_t, 256> last_references_{};
    RecentSet seen_;  // Finds duplicates. A URL may be there as a link and as a requisite.
};

}  // namespace weft::crawl
