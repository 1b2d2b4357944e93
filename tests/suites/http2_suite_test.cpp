// The frames of http2jp's test cases, said by a server to a client with fifty streams open.
//
// A bad frame must end the connection, or its stream, with one of the codes that the case names. A
// good one must do no harm; but the cases are frames by themselves, and some of them no server may
// send to a client in this state (a CONTINUATION without a head, anything on a stream that nobody
// has opened, or naming one): then it is the rule for that which must be found broken.
#include "http/h2_recorder.h"
#include "suites/conformance.h"

namespace weft::http {
namespace {

using Json = nlohmann::json;
namespace h2 = tests::h2;

// The codes of all the GOAWAY and RST_STREAM frames in our output.
std::set<int> codes_in(std::string_view output) {
    std::set<int> codes;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(output[at]); };
    for (std::size_t at = 0; at + 9 <= output.size();) {
        const std::size_t length = static_cast<std::size_t>(byte(at)) << 16 |
                                   static_cast<std::size_t>(byte(at + 1)) << 8 | byte(at + 2);
        if (byte(at + 3) == h2::rst_stream) codes.insert(byte(at + 12));
        if (byte(at + 3) == h2::goaway) codes.insert(byte(at + 16));
        at += 9 + length;
    }
    return codes;
}

bool is_misplaced(const Json& frame) {
    const int type = frame["type"];
    const int stream = frame["stream_identifier"];
    const auto is_unopened = [](int id) { return id > 0 && id % 2 == 0; };  // The server's to open.
    if (type == h2::goaway) return is_unopened(frame["frame_payload"]["last_stream_id"]);
    return type == h2::continuation || type == h2::push_promise ||
           (is_unopened(stream) && type != h2::priority);
}

}  // namespace

TEST(Http2Suite, Frames) {
    WEFT_SUITE(rows, "http2_frames/frames.json");
    for (const Json& row : rows) {
        SCOPED_TRACE(suites::text(row["file"]));
        const std::string wire = suites::from_hex(suites::text(row["wire"]));
        for (const std::size_t piece : {wire.size(), std::size_t{1}}) {
            H2Scene scene(50);
            scene.say(h2::greeting());
            scene.output();

            for (std::size_t at = 0; at < wire.size(); at += piece) {
                scene.say(std::string_view(wire).substr(at, piece));
            }
            const std::set<int> codes = codes_in(scene.output());

            if (row["error"].is_null()) {
                const bool must_fail = is_misplaced(row["frame"]);
                EXPECT_EQ(scene.session.failure() == H2Error::protocol_error, must_fail);
                EXPECT_EQ(codes, must_fail ? std::set<int>{1} : std::set<int>{});
            } else {
                const std::set<int> allowed = row["error"].get<std::set<int>>();
                EXPECT_FALSE(codes.empty());
                for (const int code : codes) EXPECT_TRUE(allowed.contains(code)) << code;
            }
        }
    }
}

}  // namespace weft::http
