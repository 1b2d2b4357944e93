#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "aio/net/stream.h"
#include "aio/task/co.h"

struct nghttp2_session;

namespace weft::tests {

// A server of HTTP/2 made of nghttp2's own server side: another's idea of the protocol than our
// client's. It answers every request at once, by its path.
class H2Server {
public:
    struct Reply {
        int status = 200;
        std::vector<std::pair<std::string, std::string>> headers = {};
        std::string body = {};
        bool echoes = false;     // The body of the request.
        bool is_mute = false;    // Never answered.
        bool stalls = false;     // The body never ends.
        std::uint32_t code = 0;  // Not 0: reset with this instead.
    };
    struct Seen {
        std::map<std::string, std::string> fields;
        std::string body;
    };

    std::map<std::string, Reply> replies;
    std::uint32_t stream_count_max = 100;

    // What was asked, in order.
    std::vector<Seen> seen;
    std::size_t open_count = 0;
    std::size_t open_count_max = 0;
    std::vector<std::int32_t> resets;  // Streams that the client reset.

    // Until the client closes.
    aio::Co<> talk(aio::Stream stream);

private:
    struct Talk;
    friend struct H2ServerCallbacks;
};

}  // namespace weft::tests
