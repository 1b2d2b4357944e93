#include "archive/warc/gzip_member.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <zlib.h>

#include "base/assert.h"

namespace weft::archive {

namespace {

constexpr std::size_t kPartBytesMax = 1 << 30;  // The libraries count the input in 32 bits.

// zlib's largest window (2^15), and 16, which asks for the gzip format.
constexpr int kDeflateWindowBits = 15 + 16;

// A request and a metadata record as they usually are. Their letters and repetitions make the code
// by which all short records are packed, so another text makes other bytes of the same records.
constexpr std::string_view kShortSample =
    "WARC/1.1\r\nWARC-Type: request\r\n"
    "WARC-Record-ID: <urn:uuid:1216e0bd-9f74-4859-a03f-3c725e29aee1>\r\n"
    "WARC-Date: 2025-03-07T14:26:58Z\r\n"
    "WARC-Target-URI: https://www.example.org/manual/html/index.html\r\n"
    "WARC-IP-Address: 203.0.113.48\r\nWARC-Protocol: http/1.1\r\n"
    "WARC-Concurrent-To: <urn:uuid:6c39c27a-3f0e-40aa-81f2-503f1ea443b3>\r\n"
    "WARC-Warcinfo-ID: <urn:uuid:8688b2df-7382-453c-8c9d-2bbe999ed92e>\r\n"
    "WARC-Block-Digest: sha1:SZ36J3PT5NILZTAZMBEGYH5PM2AIT5K3\r\n"
    "Content-Type: application/http;msgtype=request\r\nContent-Length: 178\r\n\r\n"
    "GET /manual/html/index.html HTTP/1.1\r\nHost: www.example.org\r\n"
    "User-Agent: weft/0.1.0\r\nAccept: */*\r\nAccept-Encoding: gzip, br, zstd\r\n\r\n\r\n\r\n"
    "WARC/1.1\r\nWARC-Type: metadata\r\n"
    "WARC-Record-ID: <urn:uuid:c395d613-e84d-49e1-a060-220f73346e53>\r\n"
    "WARC-Date: 2025-03-07T14:26:58Z\r\n"
    "WARC-Target-URI: https://www.example.org/manual/html/index.html\r\n"
    "WARC-Concurrent-To: <urn:uuid:0439b74e-937d-480c-8f77-9a47a85290bc>\r\n"
    "WARC-Warcinfo-ID: <urn:uuid:8688b2df-7382-453c-8c9d-2bbe999ed92e>\r\n"
    "WARC-Block-Digest: sha1:G2OU32WHCSG27SOYX5HHH72KWSKJDLR4\r\n"
    "Content-Type: application/warc-fields\r\nContent-Length: 82\r\n\r\n"
    "via: https://www.example.org/index.html\r\nfound-as: link\r\ndepth: 1\r\n"
    "fetchTimeMs: 7\r\n\r\n\r\n";

// Compresses one piece. With Z_FINISH it also completes the member.
void deflate_piece(z_stream& stream, std::string_view piece, int flush, std::string& out) {
    std::array<char, 64 << 10> buffer;
    do {
        const std::string_view part = piece.substr(0, kPartBytesMax);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
        stream.avail_in = static_cast<uInt>(part.size());
        do {
            stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
            stream.avail_out = buffer.size();
            WEFT_ASSERT(deflate(&stream, flush) != Z_STREAM_ERROR);
            out.append(buffer.data(), buffer.size() - stream.avail_out);
            // zlib has used up the input when it leaves room in the output.
        } while (stream.avail_out == 0);
        piece.remove_prefix(part.size());
    } while (!piece.empty());
}

}  // namespace

void GzipPacker::Free::operator()(void* compressor) const {
    libdeflate_free_compressor(static_cast<libdeflate_compressor*>(compressor));
}

GzipPacker::Compressor GzipPacker::make_compressor(int level) {
    WEFT_ASSERT(level >= 1 && level <= 9);
    Compressor compressor(libdeflate_alloc_compressor(level));
    if (!compressor) throw std::bad_alloc();
    return compressor;
}

// ISA-L's level 2 is as fast as its level 1 on pages, and packs them a little better.
struct GzipPacker::Fast {
    static constexpr std::uint32_t kLevel = 2;

    isal_zstream stream;
    std::array<std::uint8_t, ISAL_DEF_LVL2_DEFAULT> tables;

    // For short records.
    isal_zstream short_stream;
    isal_hufftables short_code;

    Fast() {
        isal_deflate_init(&stream);
        isal_huff_histogram counts{};
        auto* sample = reinterpret_cast<std::uint8_t*>(const_cast<char*>(kShortSample.data()));
        isal_update_histogram(sample, static_cast<int>(kShortSample.size()), &counts);
        // Symbols that the sample lacks get long codes, so that every record can be packed.
        WEFT_ASSERT(isal_create_hufftables(&short_code, &counts) == 0);
    }
};

GzipPacker::GzipPacker(int level) : level_(level), short_compressor_(make_compressor(1)) {
    if (level == kFastLevel) {
        fast_ = std::make_unique_for_overwrite<Fast>();
    } else {
        compressor_ = make_compressor(level);
    }
}

GzipPacker::~GzipPacker() = default;

void GzipPacker::append_member(std::span<const std::string_view> pieces, std::string& out) {
    std::size_t size = 0;
    for (const std::string_view piece : pieces) size += piece.size();
    if (size <= kShortBytesMax && fast_) {
        append_short(pieces, out);
    } else if (size <= kShortBytesMax) {
        append_at_once(short_compressor_.get(), pieces, out);
    } else if (fast_) {
        append_fast(pieces, out);
    } else if (size <= kSingleShotBytesMax) {
        append_at_once(compressor_.get(), pieces, out);
    } else {
        append_large(pieces, out);
    }
}

void GzipPacker::append_short(std::span<const std::string_view> pieces, std::string& out) {
    joined_.clear();
    for (const std::string_view piece : pieces) joined_ += piece;
    isal_zstream& stream = fast_->short_stream;
    isal_deflate_stateless_init(&stream);
    stream.hufftables = &fast_->short_code;
    stream.gzip_flag = IGZIP_GZIP;
    stream.end_of_stream = 1;
    stream.next_in = reinterpret_cast<std::uint8_t*>(joined_.data());
    stream.avail_in = static_cast<std::uint32_t>(joined_.size());
    // No code is longer than two bytes; the rest is for the code itself, header and trailer.
    constexpr std::uint32_t kRoomBytes = 2 * kShortBytesMax + 512;
    const std::size_t start = out.size();
    out.resize_and_overwrite(start + kRoomBytes, [&](char* room, std::size_t) {
        stream.next_out = reinterpret_cast<std::uint8_t*>(room + start);
        stream.avail_out = kRoomBytes;
        WEFT_ASSERT(isal_deflate_stateless(&stream) == COMP_OK);
        return start + kRoomBytes - stream.avail_out;
    });
}

void GzipPacker::append_fast(std::span<const std::string_view> pieces, std::string& out) {
    isal_zstream& stream = fast_->stream;
    isal_deflate_reset(&stream);
    stream.level = Fast::kLevel;
    stream.level_buf = fast_->tables.data();
    stream.level_buf_size = static_cast<std::uint32_t>(fast_->tables.size());
    stream.gzip_flag = IGZIP_GZIP;
    stream.flush = NO_FLUSH;
    stream.end_of_stream = 0;
    constexpr std::uint32_t kRoomBytes = 64 << 10;
    const auto pack = [&](std::string_view part) {
        stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(part.data()));
        stream.avail_in = static_cast<std::uint32_t>(part.size());
        do {
            const std::size_t start = out.size();
            // Compresses straight into `out`, without clearing the room first.
            out.resize_and_overwrite(start + kRoomBytes, [&](char* room, std::size_t) {
                stream.next_out = reinterpret_cast<std::uint8_t*>(room + start);
                stream.avail_out = kRoomBytes;
                WEFT_ASSERT(isal_deflate(&stream) == COMP_OK);
                return start + kRoomBytes - stream.avail_out;
            });
            // It has used up the input when it leaves room in the output.
        } while (stream.avail_out == 0);
    };
    for (std::string_view piece : pieces) {
        for (; !piece.empty(); piece.remove_prefix(std::min(piece.size(), kPartBytesMax))) {
            pack(piece.substr(0, kPartBytesMax));
        }
    }
    stream.end_of_stream = 1;
    pack({});
}

void GzipPacker::append_at_once(void* with, std::span<const std::string_view> pieces,
                                std::string& out) {
    joined_.clear();
    for (const std::string_view piece : pieces) joined_ += piece;
    auto* compressor = static_cast<libdeflate_compressor*>(with);
    const std::size_t bound = libdeflate_gzip_compress_bound(compressor, joined_.size());
    const std::size_t start = out.size();
    // Compresses straight into `out`, without clearing the room first.
    out.resize_and_overwrite(start + bound, [&](char* room, std::size_t) {
        const std::size_t size = libdeflate_gzip_compress(compressor, joined_.data(),
                                                          joined_.size(), room + start, bound);
        WEFT_ASSERT(size > 0);
        return start + size;
    });
}

void GzipPacker::append_large(std::span<const std::string_view> pieces, std::string& out) const {
    z_stream stream{};
    if (deflateInit2(&stream, level_, Z_DEFLATED, kDeflateWindowBits, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        throw std::bad_alloc();  // Nothing else can go wrong with these arguments.
    }
    for (const std::string_view piece : pieces) deflate_piece(stream, piece, Z_NO_FLUSH, out);
    deflate_piece(stream, {}, Z_FINISH, out);
    deflateEnd(&stream);
}

}  // namespace weft::archive
