#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "archive/warc/warc_header.h"
#include "base/clock.h"
#include "crawl/extract/site_terms.h"

namespace weft::crawl {

// A record that may hold a page, as it is in the archive.
struct PageCandidate {
    archive::WarcHeader header;
    std::string block;
    bool is_cut = false;  // The block has more bytes than CandidateReader keeps.
    std::string place;    // For messages: "a.warc.gz: the response record at byte 512".
    std::shared_ptr<const SiteTerms> terms;  // Of the site; null if none are known.
};

// A page from an archive.
struct ArchivedPage {
    std::string url;
    WallTime date;             // When it was fetched; the epoch if the record does not say.
    std::string record_id;     // As written: "<urn:uuid:…>".
    std::string content_type;  // The whole header field; may be empty.
    std::string head;          // Of the HTTP response; empty for a resource.
    std::string html;          // Decoded, in the page's charset.
    bool is_cut = false;       // The archive or the limits have only a part.
};

// Whether a record can hold a page, judged by its header: responses and resources. A revisit
// stands for a record that counts itself.
bool may_hold_page(const archive::WarcHeader& header);

// The same when the beginning of the block is known. Responses must have status 200 and a type of
// HTML, or none. REQUIRES: may_hold_page(header).
bool may_hold_page(const archive::WarcHeader& header, std::string_view block_start);

// The HTTP head and the content of a response, without its codings; of a resource the block. The
// error is a phrase for people.
struct RecordContent {
    std::string_view head;  // Points into the record.
    std::string content;
    bool is_cut = false;
};
std::expected<RecordContent, std::string> content_of(const PageCandidate& record);

// Undoes the transfer coding and the content codings. Archives of other tools may have undone one
// of them already and left the field in the head; then the content is taken as it is. The error is
// a phrase for people; an empty one means that the record holds no page after all.
std::expected<ArchivedPage, std::string> open_page(const PageCandidate& record);

}  // namespace weft::crawl
