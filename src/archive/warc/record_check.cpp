#include "archive/warc/record_check.h"

#include <algorithm>
#include <charconv>

#include "archive/index/lines.h"
#include "base/bytes.h"

namespace weft::archive {

bool holds_http(const WarcHeader& header) {
    const std::string_view type = header.type();
    if (header.content_length() == 0) return false;
    if (type != "response" && type != "request" && type != "revisit") return false;
    const std::string content_type = to_lower(header.get("Content-Type"));
    if (content_type.empty()) return header.target_uri().starts_with("http");
    return content_type.starts_with("application/http");
}

HttpHead parse_http_head(std::string_view block) {
    HttpHead head;
    const std::size_t body = find_after_empty_line(block);
    head.size_bytes = body == std::string_view::npos ? block.size() : body;
    std::string_view text = block.substr(0, head.size_bytes);
    head.start_line = trim(take_line(text));
    const std::size_t blank = head.start_line.find(' ');
    if (head.start_line.starts_with("HTTP") && blank != std::string_view::npos) {
        const std::string_view rest = trim(head.start_line.substr(blank));
        // Three digits at most; anything else leaves the status at 0 or at the digits before it.
        std::from_chars(rest.begin(), rest.begin() + std::min<std::size_t>(rest.size(), 3),
                        head.status);
    }
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.empty()) break;
        const bool continues = line[0] == ' ' || line[0] == '\t';
        if (!continues && line.find(':') != std::string_view::npos) ++head.header_count;
    }
    return head;
}

std::string_view http_field(std::string_view head, std::string_view name) {
    take_line(head);  // The start line.
    while (!head.empty()) {
        const std::string_view line = take_line(head);
        if (line.empty()) break;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        if (equals_ignore_case(trim(line.substr(0, colon)), name)) {
            return trim(line.substr(colon + 1));
        }
    }
    return {};
}

RecordCheck::RecordCheck(const WarcHeader& header) {
    // No checks are set up, so finish() returns `unchecked`.
    if (header.type() == "revisit") return;
    block_ = DigestCheck::of_label(header.get("WARC-Block-Digest"));
    payload_ = DigestCheck::of_label(header.get("WARC-Payload-Digest"));
    is_in_head_ = holds_http(header);
}

void RecordCheck::update(std::string_view bytes) {
    if (block_) block_->update(bytes);
    if (!payload_) return;
    if (is_in_head_) {
        // The empty line may be split over two pieces, with at most two bytes of it in the first.
        const std::string seam = last_bytes_ + std::string(bytes.substr(0, 2));
        const std::size_t at_seam = find_after_empty_line(seam);
        const std::size_t inside = find_after_empty_line(bytes);
        std::size_t start = inside;
        if (at_seam != std::string_view::npos) start = at_seam - last_bytes_.size();
        if (start == std::string_view::npos) {
            last_bytes_ += bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 2));
            last_bytes_.erase(0, last_bytes_.size() - std::min<std::size_t>(last_bytes_.size(), 2));
            return;
        }
        is_in_head_ = false;
        bytes.remove_prefix(start);
    }
    payload_->update(bytes);
}

Verdict RecordCheck::finish(bool is_complete) {
    // An incomplete block cannot have the digest of the whole.
    if (!is_complete || (!block_ && !payload_)) return Verdict::unchecked;
    const bool block_is_right = !block_ || block_->matches();
    const bool payload_is_right = !payload_ || payload_->matches();
    return block_is_right && payload_is_right ? Verdict::right : Verdict::wrong;
}

}  // namespace weft::archive
