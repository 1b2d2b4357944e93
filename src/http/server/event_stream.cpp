#include "http/server/event_stream.h"

#include <algorithm>

namespace weft::http {

using aio::Co;

namespace {

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find_first_of("\r\n"));
}

// Each line of the data gets a field of its own. CR, LF and CRLF all end a line in this format.
void append_data(std::string& out, std::string_view data) {
    while (true) {
        const std::size_t end = std::min(data.find_first_of("\r\n"), data.size());
        out.append("data: ").append(data.substr(0, end)).append("\n");
        if (end == data.size()) return;
        const bool is_pair = data.substr(end, 2) == "\r\n";
        data.remove_prefix(end + (is_pair ? 2 : 1));
    }
}

}  // namespace

std::string format_event(const ServerEvent& event) {
    std::string out;
    if (!event.name.empty()) out.append("event: ").append(first_line(event.name)).append("\n");
    if (!event.id.empty() && !event.id.contains('\0')) {
        out.append("id: ").append(first_line(event.id)).append("\n");
    }
    append_data(out, event.data);
    // An empty line ends the event.
    out += '\n';
    return out;
}

Co<> EventStream::open() {
    if (!responder_.take_event_place()) throw HttpRefusal(503, "too many event streams");
    co_await responder_.start({.headers = {{"Content-Type", "text/event-stream"},
                                           {"Cache-Control", "no-store"},
                                           {"X-Content-Type-Options", "nosniff"}}});
}

Co<> EventStream::send(ServerEvent event) {
    co_await responder_.write(format_event(event));
}

Co<> EventStream::ping() {
    // A line that begins with a colon is a comment.
    co_await responder_.write(":\n\n");
}

}  // namespace weft::http
