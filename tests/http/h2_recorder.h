#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "http/h2/h2_session.h"
#include "support/h2_frames.h"

namespace weft::http {

// Writes down what its stream hears.
class H2Recorder final : public H2Stream {
public:
    ~H2Recorder() = default;

    std::string text() const {
        std::string all = interim;
        all += head_text;
        all += content;
        if (end) all.append("|").append(describe(*end));
        return all;
    }

    std::string interim;
    int status = 0;
    Headers headers;
    std::string head_text;
    std::string content;
    std::optional<H2End> end;
    bool holds = false;

private:
    void on_interim(int code) override {
        EXPECT_FALSE(end);
        interim += std::to_string(code) + ";";
    }
    void on_head(int code) override {
        EXPECT_FALSE(end);
        EXPECT_EQ(status, 0);
        status = code;
        head_text = std::to_string(code) + ";";
        for (const Field field : fields()) {
            head_text.append(field.name).append("=").append(field.value).append(";");
        }
        headers = fields();
    }
    bool on_content(std::string_view piece) override {
        EXPECT_FALSE(end);
        EXPECT_NE(status, 0);
        content += piece;
        return !holds;
    }
    void on_end(H2End how) override {
        EXPECT_FALSE(end);
        end = how;
    }
};

// A session with some requests out, to which a test feeds what the server says.
class H2Scene {
public:
    explicit H2Scene(std::size_t count = 1, const H2Limits& limits = {}) : session(limits) {
        for (std::size_t i = 0; i < count; ++i) request();
        output();
    }
    ~H2Scene() {
        for (const auto& stream : streams) session.detach(*stream);
    }

    H2Recorder& request(std::string_view method = "GET", std::string_view body = {}) {
        H2Recorder& stream = *streams.emplace_back(std::make_unique<H2Recorder>());
        session.submit(stream, {.method = method,
                                .scheme = "https",
                                .authority = "a.test",
                                .target = "/",
                                .headers = fields,
                                .body = body});
        return stream;
    }

    void say(std::string_view bytes, Duration when = {}) {
        session.receive(bytes, TimePoint(when));
    }

    std::string output() {
        std::string bytes;
        session.take_output(bytes);
        return bytes;
    }

    // The code of the GOAWAY that we sent; nothing if we sent none.
    std::optional<std::uint32_t> goaway_code() {
        const std::string bytes = output();
        for (std::size_t at = 0; at + 9 <= bytes.size();) {
            const auto byte = [&](std::size_t i) {
                return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i]));
            };
            if (byte(3) == tests::h2::goaway) return byte(15) << 8 | byte(16);
            at += 9 + (byte(0) << 16 | byte(1) << 8 | byte(2));
        }
        return std::nullopt;
    }

    H2Recorder& operator[](std::size_t index) { return *streams[index]; }

    Headers fields;
    H2Session session;
    std::vector<std::unique_ptr<H2Recorder>> streams;
};

}  // namespace weft::http
