#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Writes HTTP/2 frames byte by byte, right or wrong as told: no library stands between a test and
// the wire.
namespace weft::tests::h2 {

enum Type : std::uint8_t {
    data = 0,
    headers = 1,
    priority = 2,
    rst_stream = 3,
    settings = 4,
    push_promise = 5,
    ping = 6,
    goaway = 7,
    window_update = 8,
    continuation = 9,
};

enum Flag : std::uint8_t {
    none = 0,
    end_stream = 1,
    ack = 1,
    end_headers = 4,
    padded = 8,
};

enum Code : std::uint32_t {
    no_error = 0,
    protocol_error = 1,
    internal_error = 2,
    flow_control_error = 3,
    frame_size_error = 6,
    refused_stream = 7,
    cancel = 8,
    enhance_your_calm = 11,
    http_1_1_required = 13,
};

inline std::string number(std::uint32_t value, int bytes) {
    std::string out;
    for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 0xFF);
    return out;
}

inline std::string frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                         std::string_view payload) {
    std::string out = number(static_cast<std::uint32_t>(payload.size()), 3);
    out += static_cast<char>(type);
    out += static_cast<char>(flags);
    return out.append(number(stream, 4)).append(payload);
}

// Of HPACK: an integer behind a prefix of `bits` bits, the rest of the byte being `high`.
inline std::string integer(std::size_t value, unsigned bits, std::uint8_t high) {
    const std::size_t full = (std::size_t{1} << bits) - 1;
    if (value < full) return {static_cast<char>(high | value)};
    std::string out{static_cast<char>(high | full)};
    for (value -= full; value >= 128; value >>= 7) out += static_cast<char>(0x80 | (value & 0x7F));
    return out += static_cast<char>(value);
}

// A field as it is, not put into the table.
inline std::string field(std::string_view name, std::string_view value) {
    return std::string(1, '\0') + integer(name.size(), 7, 0) + std::string(name) +
           integer(value.size(), 7, 0) + std::string(value);
}

// A field that is put into the table, where `indexed(62)` finds the newest.
inline std::string table_field(std::string_view name, std::string_view value) {
    return std::string(1, '\x40') + integer(name.size(), 7, 0) + std::string(name) +
           integer(value.size(), 7, 0) + std::string(value);
}
inline std::string indexed(std::size_t index) {
    return integer(index, 7, 0x80);
}

// A header block; the status first, where there is one.
using Fields = std::vector<std::pair<std::string_view, std::string_view>>;
inline std::string block(const Fields& fields) {
    std::string out;
    for (const auto& [name, value] : fields) out += field(name, value);
    return out;
}

inline std::string server_settings(const std::vector<std::pair<int, std::uint32_t>>& values = {}) {
    std::string payload;
    for (const auto& [id, value] : values) {
        payload += number(static_cast<std::uint32_t>(id), 2) + number(value, 4);
    }
    return frame(settings, none, 0, payload);
}
// What every server says first, having read what every client does.
inline std::string greeting(const std::vector<std::pair<int, std::uint32_t>>& values = {}) {
    return server_settings(values) + frame(settings, ack, 0, "");
}
inline std::string head(std::uint32_t stream, const Fields& fields, int flags = none) {
    return frame(headers, static_cast<std::uint8_t>(flags | end_headers), stream, block(fields));
}
inline std::string content(std::uint32_t stream, std::string_view bytes, int flags = none) {
    return frame(data, static_cast<std::uint8_t>(flags), stream, bytes);
}
inline std::string padding_only(std::uint32_t stream, std::uint8_t length) {
    return frame(data, padded, stream, number(length, 1) + std::string(length, '\0'));
}
inline std::string reset(std::uint32_t stream, std::uint32_t code) {
    return frame(rst_stream, none, stream, number(code, 4));
}
inline std::string go_away(std::uint32_t last_stream, std::uint32_t code) {
    return frame(goaway, none, 0, number(last_stream, 4) + number(code, 4));
}
inline std::string window(std::uint32_t stream, std::uint32_t more) {
    return frame(window_update, none, stream, number(more, 4));
}

// A whole answer.
inline std::string page(std::uint32_t stream, std::string_view body) {
    return head(stream, {{":status", "200"}, {"content-type", "text/html"}}) +
           content(stream, body, end_stream);
}

inline std::string times(std::size_t count, std::string_view bytes) {
    std::string out;
    out.reserve(count * bytes.size());
    for (std::size_t i = 0; i < count; ++i) out += bytes;
    return out;
}

}  // namespace weft::tests::h2
