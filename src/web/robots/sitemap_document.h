#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "web/robots/sitemap.h"
#include "web/robots/xml_reader.h"

namespace weft::web {

// Whether the text starts like an absolute http or https URL.
bool is_web_url(std::string_view text);

// Makes entries of the elements of a sitemap, index, RSS or Atom document. It is a part of
// SitemapParser, which owns it together with the options.
class SitemapDocument final : public XmlHandler {
public:
    SitemapDocument(const SitemapOptions& options, std::function<void(SitemapEntry)> on_entry)
        : options_(options), on_entry_(std::move(on_entry)) {}

    void on_start(const XmlTag& tag, std::size_t depth) override;
    void on_end(std::string_view name, std::size_t depth) override;
    void on_text(std::string_view text) override;
    void on_doctype() override { has_dtd_ = true; }

    // The document ended inside a text. Elements that end from now on were cut, so their text is
    // not used.
    void cut() { is_cut_ = true; }

    std::optional<SitemapKind> kind() const { return kind_; }
    bool has_dtd() const { return has_dtd_; }
    bool has_wrong_namespace() const { return has_wrong_namespace_; }

private:
    // The vocabulary an element belongs to.
    enum class Vocabulary : std::uint8_t { core, image, video, news, xhtml, other };

    struct Namespace {
        std::string prefix;
        std::string uri;
        std::size_t depth = 0;
    };

    // Namespaces: which vocabulary a prefix means.
    void declare_namespaces(const XmlTag& tag, std::size_t depth);
    std::string_view uri_of(std::string_view prefix) const;
    Vocabulary vocabulary_of(std::string_view prefix) const;
    void start_root(const XmlTag& tag);
    bool starts_entry(std::string_view local, Vocabulary vocabulary) const;
    void start_in_entry(const XmlTag& tag, std::string_view local, Vocabulary vocabulary);
    bool wants_text(std::string_view local, Vocabulary vocabulary) const;
    // Store the text of the field that just ended.
    void take(std::string_view value);
    void take_core(std::string_view value);
    void take_feed(std::string_view value);
    void take_video(std::string_view value);
    void take_location(std::string_view value);
    void end_entry();
    void emit();

    const SitemapOptions& options_;
    std::function<void(SitemapEntry)> on_entry_;

    std::optional<SitemapKind> kind_;
    bool is_root_known_ = false;
    bool has_dtd_ = false;
    bool has_wrong_namespace_ = false;
    bool is_cut_ = false;
    std::vector<Namespace> namespaces_;  // The declarations in force, the innermost last.
    std::string root_uri_;               // The namespace of the root element.

    SitemapEntry entry_;
    std::size_t entry_depth_ = 0;  // 0 outside of an entry.
    bool has_location_ = false;
    std::string guid_;      // RSS: the location of an item that has no link.
    std::string own_text_;  // Text directly in the entry: some sitemaps have no <loc>.

    // The element whose text is being collected.
    std::size_t field_depth_ = 0;  // 0 if there is none.
    Vocabulary field_vocabulary_ = Vocabulary::core;
    std::string field_;
    std::string text_;
    bool is_text_cut_ = false;
};

}  // namespace weft::web
