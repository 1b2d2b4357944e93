#include "web/robots/sitemap.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/limits.h"
#include "web/charset/utf8_text.h"
#include "web/robots/sitemap_document.h"
#include "web/robots/xml_reader.h"

namespace weft::web {
namespace {

// The directory of a URL: "https://a.test/b/" for "https://a.test/b/sitemap.xml?x".
std::string_view directory_of(std::string_view url) {
    url = url.substr(0, url.find_first_of("?#"));
    const std::size_t authority = url.find("://");
    const std::size_t slash = url.rfind('/');
    const bool has_path = slash != std::string_view::npos &&
                          (authority == std::string_view::npos || slash > authority + 2);
    return has_path ? url.substr(0, slash + 1) : url;
}

}  // namespace

std::string_view describe(SitemapError error) {
    switch (error) {
        case SitemapError::not_a_sitemap: return "not a sitemap";
        case SitemapError::wrong_namespace: return "not in the sitemap protocol's namespace";
        case SitemapError::broken_xml: return "broken XML";
        case SitemapError::has_dtd: return "it has a DTD";
        case SitemapError::too_large: return "larger than the limit";
        case SitemapError::too_many_locations: return "more locations than the limit";
    }
    std::unreachable();
}

class SitemapParser::Impl {
public:
    Impl(SitemapOptions options, OnEntry on_entry)
        : options_(std::move(options)),
          directory_(directory_of(options_.url)),
          on_entry_(std::move(on_entry)) {}

    void feed(std::string_view bytes);
    std::expected<SitemapSummary, SitemapError> finish();

private:
    enum class Form { unknown, xml, text };

    void read_start(std::string_view bytes);
    void read(std::string_view bytes);
    void read_lines(std::string_view bytes);
    void end_line();
    void deliver(SitemapEntry entry);
    std::optional<SitemapError> fault() const;

    const SitemapOptions options_;
    const std::string directory_;
    const OnEntry on_entry_;

    Form form_ = Form::unknown;
    std::string start_;  // The beginning of a byte order mark.
    std::size_t byte_count_ = 0;
    std::size_t entry_count_ = 0;
    bool is_too_large_ = false;
    bool has_too_many_ = false;

    std::string line_;
    bool is_line_cut_ = false;

    // These refer to members above, so they come last, and Impl never moves.
    SitemapDocument document_{options_, [this](SitemapEntry entry) { deliver(std::move(entry)); }};
    XmlReader reader_{document_};
};

void SitemapParser::Impl::feed(std::string_view bytes) {
    const std::size_t room = limits::kSitemapBytesMax - byte_count_;
    if (bytes.size() > room) {
        is_too_large_ = true;
        bytes = bytes.substr(0, room);
    }
    byte_count_ += bytes.size();
    if (form_ == Form::unknown) {
        read_start(bytes);
    } else {
        read(bytes);
    }
}

// The first character that is not white space decides the form: "<" means XML.
void SitemapParser::Impl::read_start(std::string_view bytes) {
    while (!bytes.empty() && form_ == Form::unknown) {
        const char c = bytes.front();
        const bool is_mark =
            start_.size() < kByteOrderMark.size() && c == kByteOrderMark[start_.size()];
        if (is_mark) {
            start_ += c;
        } else if (c == '<') {
            form_ = Form::xml;
            break;
        } else if (!std::string_view(" \t\r\n\f").contains(c)) {
            form_ = Form::text;
            break;
        }
        bytes.remove_prefix(1);
    }
    read(bytes);
}

void SitemapParser::Impl::read(std::string_view bytes) {
    if (form_ == Form::xml) reader_.feed(bytes);
    if (form_ == Form::text) read_lines(bytes);
}

void SitemapParser::Impl::read_lines(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
        // A line that is too long for a URL is dropped as a whole by end_line().
        const std::size_t room = limits::kUrlBytesMax - line_.size();
        if (end > room) is_line_cut_ = true;
        line_ += bytes.substr(0, std::min(end, room));
        if (end == bytes.size()) return;
        end_line();
        bytes.remove_prefix(end + 1);
    }
}

void SitemapParser::Impl::end_line() {
    const std::string_view line = trim(line_);
    if (!is_line_cut_ && is_web_url(line)) {
        SitemapEntry entry;
        entry.location = line;
        deliver(std::move(entry));
    }
    line_.clear();
    is_line_cut_ = false;
}

void SitemapParser::Impl::deliver(SitemapEntry entry) {
    // A sitemap with a DTD is refused in finish(). Until then nothing of it is delivered.
    if (document_.has_dtd() && !options_.allow_dtd) return;
    entry.is_below_sitemap = entry.location.starts_with(directory_);
    // The rule of the directory is for pages only. An index may list sitemaps from anywhere.
    const bool is_page = document_.kind() != SitemapKind::index;
    if (options_.strict && is_page && !entry.is_below_sitemap) return;
    if (entry_count_ == limits::kSitemapLocationCountMax) {
        has_too_many_ = true;
        return;
    }
    ++entry_count_;
    on_entry_(std::move(entry));
}

std::optional<SitemapError> SitemapParser::Impl::fault() const {
    if (is_too_large_) return SitemapError::too_large;
    if (has_too_many_) return SitemapError::too_many_locations;
    if (reader_.fault()) return SitemapError::broken_xml;
    return std::nullopt;
}

std::expected<SitemapSummary, SitemapError> SitemapParser::Impl::finish() {
    SitemapSummary out;
    if (form_ == Form::text) {
        // The last line is dropped if the size limit cut it.
        if (!is_too_large_) end_line();
        // With `strict` all lines may have been URLs outside of the directory.
        if (entry_count_ == 0 && !options_.strict) {
            return std::unexpected(SitemapError::not_a_sitemap);
        }
        out.kind = SitemapKind::text;
    } else {
        if (reader_.ended_in_text()) document_.cut();
        reader_.finish();
        if (document_.has_dtd() && !options_.allow_dtd) {
            return std::unexpected(SitemapError::has_dtd);
        }
        if (document_.has_wrong_namespace()) {
            return std::unexpected(SitemapError::wrong_namespace);
        }
        if (!document_.kind()) return std::unexpected(SitemapError::not_a_sitemap);
        out.kind = *document_.kind();
    }
    out.fault = fault();
    out.entry_count = entry_count_;
    if (out.fault && !options_.allow_partial) return std::unexpected(*out.fault);
    return out;
}

SitemapParser::SitemapParser(SitemapOptions options, OnEntry on_entry)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(on_entry))) {}

SitemapParser::~SitemapParser() = default;

void SitemapParser::feed(std::string_view bytes) {
    impl_->feed(bytes);
}

std::expected<SitemapSummary, SitemapError> SitemapParser::finish() {
    return impl_->finish();
}

std::expected<Sitemap, SitemapError> parse_sitemap(std::string_view bytes, SitemapOptions options) {
    Sitemap out;
    SitemapParser parser(std::move(options),
                         [&](SitemapEntry entry) { out.entries.push_back(std::move(entry)); });
    parser.feed(bytes);
    const std::expected<SitemapSummary, SitemapError> summary = parser.finish();
    if (!summary) return std::unexpected(summary.error());
    out.summary = *summary;
    return out;
}

}  // namespace weft::web
