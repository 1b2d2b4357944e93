// HTTP/2 from a malicious server, frame by frame: H47 to H53 of the hostile web. Each case ends
// with the right class, holds little memory, and costs the server at most its own connection.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/units.h"
#include "http/h2_recorder.h"

namespace weft::http {
namespace {

namespace h2 = tests::h2;

// A session never holds more than this, whatever comes; most attacks hold far less.
constexpr std::size_t kMemoryMax = 256_KiB;

struct Verdict {
    std::optional<H2Error> failure;
    std::optional<std::uint32_t> goaway;
};

// Says it all in pieces of a socket's size, our answers being read or not.
Verdict attack(H2Scene& scene, std::string_view bytes, bool reads_answers = true) {
    scene.say(h2::greeting());
    scene.output();
    for (std::size_t at = 0; at < bytes.size() && !scene.session.failure(); at += 4_KiB) {
        scene.say(bytes.substr(at, 4_KiB));
        EXPECT_LE(scene.session.memory_bytes(), kMemoryMax);
        if (reads_answers && !scene.session.failure()) scene.output();
    }
    const std::optional<H2Error> failure = scene.session.failure();
    return {failure, scene.goaway_code()};
}

void expect_cut_off(H2Scene& scene, std::string_view bytes, H2Error error, std::uint32_t code) {
    const Verdict verdict = attack(scene, bytes);
    ASSERT_TRUE(verdict.failure);
    EXPECT_EQ(*verdict.failure, error) << scene.session.failure_reason();
    EXPECT_EQ(verdict.goaway, code);
    for (const auto& stream : scene.streams) EXPECT_FALSE(stream->end);

    const std::string before = scene[0].text();
    scene.say(h2::page(1, "more"));
    EXPECT_EQ(scene[0].text(), before) << "heard something after the end";
    EXPECT_FALSE(scene.session.accepts_requests());
}

// As many of these as are allowed pass, one more is the end; content in between starts the count
// anew, and so does the time.
void expect_counted(std::string_view frame, std::string_view before = {}) {
    const std::size_t most = limits::kH2ControlFrameCountMax;
    {
        // The end of the greeting and the head of the answer are frames too.
        H2Scene scene;
        const Verdict verdict = attack(scene, std::string(before) + h2::times(most - 10, frame));
        EXPECT_FALSE(verdict.failure) << scene.session.failure_reason();
    }
    {
        H2Scene scene;
        expect_cut_off(scene, std::string(before) + h2::times(most + 1, frame),
                       H2Error::too_many_control_frames, h2::enhance_your_calm);
    }
    {
        H2Scene scene(2);
        const std::string part = h2::times(most - 10, frame) + h2::content(3, "x");
        const Verdict verdict = attack(
            scene, std::string(before) + h2::head(3, {{":status", "200"}}) + h2::times(3, part));
        EXPECT_FALSE(verdict.failure) << scene.session.failure_reason();
    }
    {
        H2Scene scene;
        scene.say(h2::greeting() + std::string(before));
        for (int window = 0; window < 3; ++window) {
            scene.say(h2::times(most - 10, frame), window * limits::kH2ControlFrameWindow);
            scene.output();
        }
        EXPECT_FALSE(scene.session.failure()) << scene.session.failure_reason();
    }
}

std::string continuation(std::string_view fields, int flags = h2::none) {
    return h2::frame(h2::continuation, static_cast<std::uint8_t>(flags), 1, fields);
}

const std::string kHead = h2::head(1, {{":status", "200"}});

}  // namespace

TEST(H2Hostile, H47ContinuationsAreCounted) {
    const std::string start = h2::frame(h2::headers, h2::none, 1, h2::field(":status", "200"));
    const std::string more = continuation(h2::field("a", "b"));
    {
        H2Scene scene;
        attack(scene, start + h2::times(7, more) + continuation("", h2::end_headers));
        EXPECT_EQ(scene[0].headers.size(), 7u);
    }
    H2Scene scene;
    expect_cut_off(scene, start + h2::times(100'000, more), H2Error::too_many_continuations,
                   h2::enhance_your_calm);
    H2Scene empty;
    expect_cut_off(empty, start + h2::times(100'000, continuation("")),
                   H2Error::too_many_continuations, h2::enhance_your_calm);
}

TEST(H2Hostile, H48AHeaderBombEndsItsStreamAlone) {
    H2Scene scene(2);
    // 4 KB in the table, sixteen thousand references of one byte: 64 MB.
    const std::string bomb = h2::field(":status", "200") +
                             h2::table_field("a", std::string(4'000, 'x')) +
                             h2::times(12'000, h2::indexed(62));

    attack(scene, h2::frame(h2::headers, h2::end_headers, 1, bomb) + h2::page(3, "fine"));

    EXPECT_EQ(scene[0].end, H2End::header_block_too_large);
    EXPECT_EQ(scene[1].content, "fine");
    EXPECT_FALSE(scene.session.failure());
}

TEST(H2Hostile, H48SmallFieldsAreCountedOneByOne) {
    const auto with_fields = [](std::size_t count) {
        const std::string fields = h2::field(":status", "200") + h2::table_field("a", "") +
                                   h2::times(count - 2, h2::indexed(62));
        return h2::frame(h2::headers, h2::end_headers | h2::end_stream, 1, fields);
    };
    H2Scene most;
    H2Scene more;

    attack(most, with_fields(limits::kHeaderCountMax));
    attack(more, with_fields(limits::kHeaderCountMax + 1));

    EXPECT_EQ(most[0].end, H2End::complete);
    EXPECT_EQ(more[0].end, H2End::too_many_fields);
}

TEST(H2Hostile, H48EachFieldCostsThirtyTwoBytesMore) {
    const auto with_bytes = [](std::size_t bytes) {
        std::string fields = h2::field(":status", "200");
        for (bytes -= 42; bytes > 0;) {
            const std::size_t part = std::min<std::size_t>(bytes, 8'000);
            fields += h2::field("a", std::string(part - 33, 'x'));
            bytes -= part;
        }
        std::string frames = h2::frame(h2::headers, h2::end_stream, 1, fields.substr(0, 16'384));
        for (std::size_t at = 16'384; at < fields.size(); at += 16'384) {
            const bool is_last = at + 16'384 >= fields.size();
            frames += continuation(fields.substr(at, 16'384), is_last ? h2::end_headers : 0);
        }
        return frames;
    };
    // Nine frames of 16 KiB hold no more than 144 KiB, unless the table is used.
    H2Scene below;
    attack(below, with_bytes(140'000));
    EXPECT_EQ(below[0].end, H2End::complete);

    const auto with_references = [](std::size_t count) {
        return h2::frame(h2::headers, h2::end_headers | h2::end_stream, 1,
                         h2::field(":status", "200") +
                             h2::table_field("a", std::string(1'024 - 33, 'x')) +
                             h2::times(count, h2::indexed(62)));
    };
    // 42 for the status and 1 KiB each: the 256th is one too many.
    H2Scene most;
    H2Scene more;
    attack(most, with_references(254));
    attack(more, with_references(255));
    EXPECT_EQ(most[0].end, H2End::complete);
    EXPECT_EQ(more[0].end, H2End::header_block_too_large);
}

TEST(H2Hostile, H48CookieCrumbsAndTrailersCountToo) {
    H2Scene crumbs;
    attack(crumbs, h2::frame(h2::headers, h2::end_headers, 1,
                             h2::field(":status", "200") + h2::table_field("cookie", "") +
                                 h2::times(1'000, h2::indexed(62))));
    EXPECT_EQ(crumbs[0].end, H2End::too_many_fields);

    H2Scene trailers;
    attack(trailers, kHead + h2::content(1, "x") +
                         h2::frame(h2::headers, h2::end_headers | h2::end_stream, 1,
                                   h2::times(500, h2::field("a", "b"))));
    EXPECT_EQ(trailers[0].end, H2End::trailers_too_large);
}

TEST(H2Hostile, H49PingsAreCounted) {
    expect_counted(h2::frame(h2::ping, h2::none, 0, "12345678"));
}

TEST(H2Hostile, H49SettingsAreCounted) {
    expect_counted(h2::server_settings());
}

TEST(H2Hostile, H49WindowUpdatesOfOneByteAreCounted) {
    expect_counted(h2::window(0, 1));
    expect_counted(h2::window(1, 1));
}

TEST(H2Hostile, H49EmptyDataIsCounted) {
    expect_counted(h2::content(1, ""), kHead);
}

TEST(H2Hostile, H49DataOfPaddingAloneIsCounted) {
    expect_counted(h2::padding_only(1, 255), kHead);
}

TEST(H2Hostile, H49PrioritiesAreCounted) {
    expect_counted(h2::frame(h2::priority, h2::none, 1, std::string(5, '\0')));
}

TEST(H2Hostile, H49UnknownFramesAreCounted) {
    expect_counted(h2::frame(0xEE, h2::none, 0, "whatever"));
    expect_counted(h2::frame(0xEE, h2::none, 1, ""));
}

TEST(H2Hostile, H49FramesOfStreamsThatAreOverAreCounted) {
    for (const std::string& frame : {h2::content(1, "late"), h2::reset(1, h2::cancel), kHead}) {
        H2Scene scene(2);
        scene.say(h2::greeting());
        scene.session.detach(scene[0]);
        scene.output();

        scene.say(h2::times(limits::kH2ControlFrameCountMax - 10, frame));
        EXPECT_FALSE(scene.session.failure());
        scene.say(h2::times(11, frame));
        EXPECT_EQ(scene.session.failure(), H2Error::too_many_control_frames);
    }
}

TEST(H2Hostile, H49HeadersOfNoLengthAreFieldsToo) {
    H2Scene scene;
    const std::string empty = std::string(1, '\0') + h2::integer(0, 7, 0) + h2::integer(0, 7, 0);

    attack(scene, h2::frame(h2::headers, h2::end_headers, 1,
                            h2::field(":status", "200") + h2::times(2'000, empty)));

    EXPECT_TRUE(scene[0].end == H2End::too_many_fields || scene[0].end == H2End::malformed);
}

TEST(H2Hostile, H49AServerThatDoesNotReadOurAnswersIsCutOff) {
    H2Limits limits;
    limits.control_frame_count_max = SIZE_MAX;
    H2Scene scene(1, limits);

    const Verdict verdict =
        attack(scene, h2::times(100'000, h2::frame(h2::ping, h2::none, 0, "12345678")), false);

    EXPECT_EQ(verdict.failure, H2Error::too_many_unsent_answers);
}

TEST(H2Hostile, H49TooManySettingsInOneFrameAreTheEnd) {
    H2Scene scene;
    const std::vector<std::pair<int, std::uint32_t>> many(1'000, {0xFFFF, 1});

    expect_cut_off(scene, h2::server_settings(many), H2Error::too_many_settings,
                   h2::enhance_your_calm);
}

TEST(H2Hostile, H50APushIsTheEnd) {
    H2Scene scene;
    const std::string promise = h2::frame(h2::push_promise, h2::end_headers, 1,
                                          h2::number(2, 4) + h2::block({{":method", "GET"},
                                                                        {":scheme", "https"},
                                                                        {":authority", "a.test"},
                                                                        {":path", "/pushed"}}));

    expect_cut_off(scene, promise, H2Error::push_promise, h2::protocol_error);
}

TEST(H2Hostile, H51AResetIsItsStreamsAlone) {
    H2Scene scene(4);

    attack(scene, h2::reset(1, h2::refused_stream) + h2::reset(3, h2::internal_error) +
                      h2::reset(5, h2::http_1_1_required) + h2::page(7, "fine"));

    EXPECT_EQ(scene[0].end, H2End::refused);
    EXPECT_EQ(scene[1].end, H2End::reset);
    EXPECT_EQ(scene[2].end, H2End::http1_required);
    EXPECT_EQ(scene[3].end, H2End::complete);
    EXPECT_EQ(scene.session.open_count(), 0u);
}

TEST(H2Hostile, H52StreamsBeyondAGoAwayAreRefusedTheOthersGoOn) {
    H2Scene scene(3);

    attack(scene, h2::go_away(3, h2::no_error) + h2::page(1, "first") + h2::page(3, "second"));

    EXPECT_EQ(scene[0].content, "first");
    EXPECT_EQ(scene[1].content, "second");
    EXPECT_EQ(scene[2].end, H2End::refused);
    EXPECT_TRUE(scene.session.is_going_away());
    EXPECT_FALSE(scene.session.accepts_requests());
}

TEST(H2Hostile, H52AGoAwayOfZeroRefusesAll) {
    H2Scene scene(2);

    attack(scene, h2::go_away(0, h2::enhance_your_calm));

    EXPECT_EQ(scene[0].end, H2End::refused);
    EXPECT_EQ(scene[1].end, H2End::refused);
}

TEST(H2Hostile, H52AGoAwayThatTakesBackIsTheEnd) {
    H2Scene scene(3);

    const Verdict verdict = attack(scene, h2::go_away(1, 0) + h2::go_away(5, 0));

    EXPECT_EQ(verdict.failure, H2Error::protocol_error);
    EXPECT_EQ(scene[2].end, H2End::refused);
}

TEST(H2Hostile, H53NoRoomForStreamsIsSeen) {
    H2Scene scene(0);

    scene.say(h2::greeting({{3, 0}}));
    EXPECT_FALSE(scene.session.has_room());
    EXPECT_TRUE(scene.session.accepts_requests());

    scene.say(h2::server_settings({{3, 1}}));
    EXPECT_TRUE(scene.session.has_room());
}

TEST(H2Hostile, H53AMillionStreamsAllowedAreAHundred) {
    H2Scene scene(0);
    scene.say(h2::greeting({{3, 1'000'000}}));

    while (scene.session.has_room()) scene.request();

    EXPECT_EQ(scene.session.open_count(), limits::kH2StreamCountMax);
}

TEST(H2Hostile, H53ABodyWaitsForAWindowOfZero) {
    H2Scene scene(0);
    scene.say(h2::greeting({{4, 0}}));

    const H2Recorder& stream = scene.request("POST", "body");
    scene.output();
    EXPECT_EQ(stream.output_mark(), 0u);

    scene.say(h2::window(1, 100));
    scene.output();
    EXPECT_GT(stream.output_mark(), 0u);
}

TEST(H2Hostile, H53WindowsOutOfRangeAreTheEnd) {
    H2Scene initial;
    expect_cut_off(initial, h2::server_settings({{4, 0x8000'0000}}), H2Error::flow_control_error,
                   h2::flow_control_error);
    H2Scene overflow;
    expect_cut_off(overflow, h2::times(2, h2::window(0, 0x7FFF'FFFF)), H2Error::flow_control_error,
                   h2::flow_control_error);
    H2Scene zero;
    expect_cut_off(zero, h2::window(0, 0), H2Error::protocol_error, h2::protocol_error);
}

TEST(H2Hostile, H53ContentBeyondTheWindowIsCutOff) {
    H2Scene scene(2);
    scene[0].holds = true;
    const std::string part = h2::content(1, std::string(16'000, 'x'));

    attack(scene, kHead + h2::times(20, part) + h2::page(3, "fine"));

    EXPECT_LE(scene[0].content.size(), limits::kH2StreamWindowBytes + limits::kH2FrameBytesMax);
    EXPECT_EQ(scene[0].end, H2End::malformed);
    EXPECT_EQ(scene[1].content, "fine");
}

TEST(H2Hostile, H53FramesOfTheWrongSizeAreTheEnd) {
    H2Scene large;
    expect_cut_off(large, kHead + h2::content(1, std::string(16_KiB + 1, 'x')),
                   H2Error::frame_size_error, h2::frame_size_error);
    H2Scene huge;
    expect_cut_off(huge, std::string("\xFF\xFF\xFF\x00\x00\x00\x00\x00\x01", 9),
                   H2Error::frame_size_error, h2::frame_size_error);
    H2Scene ping;
    expect_cut_off(ping, h2::frame(h2::ping, 0, 0, "1234567"), H2Error::frame_size_error,
                   h2::frame_size_error);
}

TEST(H2Hostile, H53StreamsNobodyOpenedAreTheEnd) {
    for (const std::uint32_t stream : {2U, 99U, 0U}) {
        H2Scene answer;
        expect_cut_off(answer, h2::page(stream, "x"), H2Error::protocol_error, h2::protocol_error);
    }
    H2Scene reset;
    expect_cut_off(reset, h2::reset(99, h2::cancel), H2Error::protocol_error, h2::protocol_error);
}

TEST(H2Hostile, H53ContentAfterTheEndIsNobodys) {
    H2Scene scene(2);

    attack(scene, h2::page(1, "whole") + h2::content(1, "more", h2::end_stream));

    EXPECT_EQ(scene[0].text(), "200;content-type=text/html;whole|complete");
}

TEST(H2Hostile, H53AContentLengthThatLiesIsNoWholeAnswer) {
    H2Scene scene(5);
    const auto head = [](std::uint32_t stream, std::string_view length, int flags = 0) {
        return h2::head(stream, {{":status", "200"}, {"content-length", length}}, flags);
    };

    attack(scene, head(1, "5") + h2::content(1, "1234", h2::end_stream) + head(3, "5") +
                      h2::content(3, "123456", h2::end_stream) + head(5, "5", h2::end_stream) +
                      head(7, "-1", h2::end_stream) + head(9, "5") +
                      h2::content(9, "12345", h2::end_stream));

    EXPECT_EQ(scene[0].end, H2End::too_short);
    EXPECT_EQ(scene[1].end, H2End::too_long);
    EXPECT_EQ(scene[2].end, H2End::too_short);
    EXPECT_EQ(scene[3].end, H2End::malformed);
    EXPECT_EQ(scene[4].end, H2End::complete);
    EXPECT_FALSE(scene.session.failure());
}

TEST(H2Hostile, H54AnotherProtocolIsFoundOutAtTheFirstByte) {
    for (const std::string_view first :
         {std::string_view("HTTP/1.1 400 Bad Request\r\n\r\n"), std::string_view("H"),
          std::string_view("\x15\x03\x01"), std::string_view("<html>"),
          std::string_view("\0\0\x08\x06\0\0\0\0\0", 9)}) {
        H2Scene scene;
        scene.say(first);
        EXPECT_EQ(scene.session.failure(), H2Error::not_http2);
    }
}

TEST(H2Hostile, HeaderBlocksThatCannotBeUnpackedAreTheEnd) {
    H2Scene scene;

    expect_cut_off(scene, h2::frame(h2::headers, h2::end_headers, 1, h2::indexed(100)),
                   H2Error::compression_error, 9);
}

}  // namespace weft::http
