// A server's bytes against an HTTP/2 session: the same calls however cut, none after the end, and
// never more memory than the bounds allow.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "fuzz/cuts.h"
#include "http/h2/h2_session.h"

namespace weft::http {
namespace {

constexpr std::size_t kStreamCount = 4;

class Listener final : public H2Stream {
public:
    ~Listener() = default;

    std::string heard;
    std::string content;
    bool ended = false;
    bool has_head = false;
    bool holds = false;

private:
    void on_interim(int status) override {
        fuzz::require(!ended && !has_head && status >= 100 && status < 200);
        heard += std::to_string(status);
    }
    void on_head(int status) override {
        const Headers& headers = fields();
        fuzz::require(!ended && !has_head && status >= 200 && status <= 999);
        fuzz::require(headers.size() <= limits::kHeaderCountMax);
        has_head = true;
        heard += std::to_string(status);
        for (const Field field : headers) {
            heard.append(field.name).append("=").append(field.value).append(";");
            fuzz::require(!field.value.contains('\n') && !field.value.contains('\0'));
        }
        fuzz::require(heard.size() <= limits::kHeaderBlockBytesMax);
    }
    bool on_content(std::string_view piece) override {
        fuzz::require(!ended && has_head);
        content += piece;
        return !holds;
    }
    void on_end(H2End end) override {
        fuzz::require(!ended && (end != H2End::complete || has_head));
        const bool is_whole = end == H2End::complete && content_length();
        fuzz::require(!is_whole || content_bytes() == *content_length());
        ended = true;
        // How much of too much came depends on the cut.
        if (end == H2End::complete) heard += content;
        heard.append("|").append(describe(end));
    }
};

std::string transcript(std::string_view bytes, unsigned setup, fuzz::Cutter cutter) {
    Headers fields;
    fields.add("Accept", "*/*");
    H2Session session;
    std::vector<Listener> streams(kStreamCount);
    for (std::size_t i = 0; i < kStreamCount; ++i) {
        streams[i].holds = (setup >> i & 1) != 0;
        session.submit(streams[i], {.method = i == 3 ? "HEAD" : "GET",
                                    .scheme = "https",
                                    .authority = "a.test",
                                    .target = "/",
                                    .headers = fields,
                                    .body = i == 2 ? "body" : ""});
    }
    std::string output;
    session.take_output(output);
    while (!bytes.empty()) {
        const fuzz::Piece piece(bytes.substr(0, std::min(cutter.next(), bytes.size())));
        bytes.remove_prefix(piece.view().size());
        session.receive(piece.view(), TimePoint{});
        fuzz::require(session.memory_bytes() <= limits::kH2SessionBytesMax);
        fuzz::require(session.open_count() <= kStreamCount);
    }
    std::string all;
    for (Listener& stream : streams) {
        session.detach(stream);
        all.append(stream.heard).append("\n");
    }
    if (session.failure()) all += session.failure_reason();
    session.take_output(output);
    fuzz::require(output.size() <= 2 * limits::kH2OutputBytesMax);
    return all;
}

}  // namespace
}  // namespace weft::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
    const unsigned seed = 2 + choices.take();
    const unsigned setup = choices.take();
    std::string bytes;
    if (setup & 0x10)
        bytes.append("\0\0\0\4\0\0\0\0\0\0\0\0\4\1\0\0\0\0", 18);  // Past the greeting.
    bytes += choices.rest();
    const std::string whole = http::transcript(bytes, setup, fuzz::Cutter(0));
    fuzz::require(whole == http::transcript(bytes, setup, fuzz::Cutter(1)));
    fuzz::require(whole == http::transcript(bytes, setup, fuzz::Cutter(seed)));
    return 0;
}
