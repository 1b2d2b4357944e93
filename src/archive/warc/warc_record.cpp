#include "archive/warc/warc_record.h"

#include "archive/index/digest.h"
#include "base/escape.h"

namespace weft::archive {

namespace {

// C0, DEL and C1: a terminal may act on all of them.
bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

// Printable ASCII only. The loop has no branches, so that the compiler can vectorize it.
bool is_plain(std::string_view value) {
    bool is_odd = false;
    for (const char c : value) is_odd |= static_cast<unsigned char>(c - 0x20) >= 0x7F - 0x20;
    return !is_odd;
}

// Valid UTF-8 without control characters, so that a value cannot begin another header line.
bool is_clean(std::string_view value) {
    if (is_plain(value)) return true;
    while (!value.empty()) {
        const Utf8Step step = utf8_step(value);
        if (step.length == 0 || is_control(step.code_point)) return false;
        value.remove_prefix(step.length);
    }
    return true;
}

std::string_view name(Truncated truncated) {
    switch (truncated) {
        case Truncated::no: return "";
        case Truncated::length: return "length";
        case Truncated::time: return "time";
        case Truncated::disconnect: return "disconnect";
    }
    std::unreachable();
}

// The defaults of WARC 1.1, section 6, for each type of record. Metadata, resource and conversion
// records can contain anything, so their type has to be given.
std::string_view content_type_of(const RecordFields& fields) {
    if (!fields.content_type.empty()) return fields.content_type;
    switch (fields.type) {
        case RecordType::warcinfo: return "application/warc-fields";
        case RecordType::request: return "application/http;msgtype=request";
        case RecordType::response:
        case RecordType::revisit: return "application/http;msgtype=response";
        case RecordType::metadata:
        case RecordType::resource:
        case RecordType::conversion: return "";
    }
    std::unreachable();
}

// An `@` in the authority, that is before the path, query or fragment.
bool has_credentials(std::string_view uri) {
    const std::size_t start = uri.find("://");
    if (start == std::string_view::npos) return false;
    const std::size_t end = uri.find_first_of("/?#", start + 3);
    return uri.substr(0, end).find('@') != std::string_view::npos;
}

// Writes header lines. Remembers whether any value was invalid, so that there is one check at the
// end.
class HeaderWriter {
public:
    HeaderWriter() {
        text_.reserve(kUsualBytes);
        text_ = "WARC/1.1\r\n";
    }

    void add(std::string_view field, std::string_view value) {
        if (value.empty()) return;
        if (!is_clean(value)) is_clean_ = false;
        text_.append(field).append(": ").append(value).append("\r\n");
    }

    void add_uri(std::string_view field, std::string_view value) {
        if (value.find(' ') != std::string_view::npos) is_clean_ = false;
        add(field, value);
    }

    std::expected<std::string, RecordError> finish() {
        if (!is_clean_) return std::unexpected(RecordError::bad_character);
        text_ += "\r\n";
        return std::move(text_);
    }

private:
    static constexpr std::size_t kUsualBytes = 1'024;

    std::string text_;
    bool is_clean_ = true;
};

std::expected<std::string, RecordError> make_header(const RecordFields& fields,
                                                    const std::vector<std::string_view>& block) {
    std::size_t length = 0;
    for (const std::string_view piece : block) length += piece.size();

    HeaderWriter header;
    header.add("WARC-Type", name(fields.type));
    header.add("WARC-Record-ID", fields.id);
    header.add("WARC-Date", to_iso8601(fields.date));
    header.add_uri("WARC-Target-URI", fields.target_uri);
    header.add("WARC-IP-Address", fields.ip_address);
    for (const std::string& protocol : fields.protocols) header.add("WARC-Protocol", protocol);
    header.add("WARC-Cipher-Suite", fields.cipher_suite);
    header.add("WARC-Removed-Fields", fields.removed_fields);
    for (const std::string& id : fields.concurrent_to) header.add("WARC-Concurrent-To", id);
    header.add("WARC-Warcinfo-ID", fields.warcinfo_id);
    header.add("WARC-Filename", fields.filename);
    header.add("WARC-Profile", fields.profile);
    header.add("WARC-Refers-To", fields.refers_to);
    header.add_uri("WARC-Refers-To-Target-URI", fields.refers_to_target_uri);
    if (fields.refers_to_date) {
        header.add("WARC-Refers-To-Date", to_iso8601(*fields.refers_to_date));
    }
    header.add("WARC-Truncated", name(fields.truncated));
    header.add("WARC-Payload-Digest", fields.payload_digest);
    header.add("WARC-Identified-Payload-Type", fields.identified_payload_type);
    header.add("WARC-Identified-Content-Language", fields.identified_content_language);
    // Every record gets a block digest: a repair relies on it to tell good records from damaged.
    const std::string computed = fields.block_digest.empty() ? sha1_label(block) : "";
    header.add("WARC-Block-Digest", fields.block_digest.empty() ? computed : fields.block_digest);
    header.add("Content-Type", content_type_of(fields));
    header.add("Content-Length", std::to_string(length));
    return header.finish();
}

}  // namespace

std::string_view name(RecordType type) {
    switch (type) {
        case RecordType::warcinfo: return "warcinfo";
        case RecordType::request: return "request";
        case RecordType::response: return "response";
        case RecordType::revisit: return "revisit";
        case RecordType::metadata: return "metadata";
        case RecordType::resource: return "resource";
        case RecordType::conversion: return "conversion";
    }
    std::unreachable();
}

std::string_view describe(RecordError error) {
    switch (error) {
        case RecordError::missing_id: return "the record has no id";
        case RecordError::missing_target_uri: return "the record has no target URI";
        case RecordError::missing_profile: return "the revisit has no profile";
        case RecordError::has_credentials: return "a URI holds a user name or password";
        case RecordError::bad_character: return "a header field holds a character it must not";
    }
    std::unreachable();
}

std::vector<std::string_view> WarcRecord::pieces() const {
    std::vector<std::string_view> all = {header};
    all.insert(all.end(), block.begin(), block.end());
    // Two line ends follow each record (WARC 1.1, section 4).
    all.push_back("\r\n\r\n");
    return all;
}

std::expected<WarcRecord, RecordError> make_record(const RecordFields& fields,
                                                   std::vector<std::string_view> block) {
    if (fields.id.empty()) return std::unexpected(RecordError::missing_id);
    if (fields.target_uri.empty() && fields.type != RecordType::warcinfo) {
        return std::unexpected(RecordError::missing_target_uri);
    }
    if (fields.profile.empty() && fields.type == RecordType::revisit) {
        return std::unexpected(RecordError::missing_profile);
    }
    if (has_credentials(fields.target_uri) || has_credentials(fields.refers_to_target_uri)) {
        return std::unexpected(RecordError::has_credentials);
    }
    std::expected<std::string, RecordError> header = make_header(fields, block);
    if (!header) return std::unexpected(header.error());
    return WarcRecord{std::string(fields.id), *std::move(header), std::move(block)};
}

std::string make_record_id(Random& random) {
    // The fixed bits of a version 4 UUID (RFC 9562, 5.4): version and variant.
    const std::uint64_t high = (random() & 0xFFFFFFFFFFFF0FFF) | 0x4000;
    const std::uint64_t low = (random() & 0x3FFFFFFFFFFFFFFF) | 0x8000000000000000;
    std::string id = "<urn:uuid:00000000-0000-0000-0000-000000000000>";
    std::size_t digit = 0;
    for (char& c : id) {
        if (c != '0') continue;
        const std::uint64_t half = digit < 16 ? high : low;
        c = "0123456789abcdef"[half >> (60 - digit % 16 * 4) & 0xF];
        ++digit;
    }
    return id;
}

void append_warc_field(std::string& block, std::string_view name, std::string_view value) {
    block.append(name).append(": ");
    for (const char c : value) block += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    block += "\r\n";
}

}  // namespace weft::archive
