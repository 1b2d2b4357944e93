#include "http/h2/h2_session.h"

#include <gtest/gtest.h>

#include "http/h2_recorder.h"

namespace weft::http {
namespace {

namespace h2 = tests::h2;

}  // namespace

TEST(H2Session, ReadsAnAnswer) {
    H2Scene scene;

    scene.say(h2::greeting() + h2::page(1, "hello"));

    EXPECT_EQ(scene[0].text(), "200;content-type=text/html;hello|complete");
    EXPECT_FALSE(scene.session.failure());
    EXPECT_EQ(scene.session.open_count(), 0u);
}

TEST(H2Session, SaysWhatAClientSaysFirst) {
    H2Session session;
    std::string bytes;

    session.take_output(bytes);

    EXPECT_TRUE(bytes.starts_with("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    // ENABLE_PUSH 0.
    EXPECT_NE(bytes.find(std::string("\0\x02\0\0\0\0", 6)), std::string::npos);
}

TEST(H2Session, AnswersComeInAnyOrderAndInterleaved) {
    H2Scene scene(3);

    scene.say(h2::greeting() + h2::head(5, {{":status", "200"}}) +
              h2::head(1, {{":status", "404"}}) + h2::content(5, "fi") + h2::content(1, "one", 1) +
              h2::content(5, "ve", 1) + h2::head(3, {{":status", "204"}}, h2::end_stream));

    EXPECT_EQ(scene[0].text(), "404;one|complete");
    EXPECT_EQ(scene[1].text(), "204;|complete");
    EXPECT_EQ(scene[2].text(), "200;five|complete");
}

TEST(H2Session, ReadsTheSameHoweverCut) {
    const std::string bytes =
        h2::greeting({{3, 50}}) + h2::head(1, {{":status", "103"}, {"link", "</a>"}}) +
        h2::head(1, {{":status", "200"}, {"content-length", "10"}, {"a", " b "}}) +
        h2::content(1, "12345") + h2::padding_only(1, 20) + h2::page(3, "other") +
        h2::content(1, "67890") + h2::head(1, {{"trailer", "x"}}, h2::end_stream) +
        h2::reset(5, h2::cancel) + h2::go_away(5, h2::no_error);
    const auto read = [&](std::size_t first, std::size_t step) {
        H2Scene scene(4);
        for (std::size_t at = 0, next = first; at < bytes.size(); at = next, next += step) {
            next = std::min(next, bytes.size());
            scene.say(std::string_view(bytes).substr(at, next - at));
        }
        std::string all;
        for (const auto& stream : scene.streams) all += stream->text() + "\n";
        EXPECT_FALSE(scene.session.failure());
        return all;
    };

    const std::string whole = read(bytes.size(), bytes.size());

    EXPECT_EQ(whole,
              "103;200;content-length=10;a=b;1234567890|complete\n"
              "200;content-type=text/html;other|complete\n"
              "|stream reset\n"
              "|stream refused\n");
    EXPECT_EQ(read(1, 1), whole);
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) EXPECT_EQ(read(cut, bytes.size()), whole);
}

TEST(H2Session, PutsOutLowerCaseNamesAndNothingOfHttp1) {
    H2Scene scene(0);
    scene.fields.add("Host", "a.test");
    scene.fields.add("X-Odd-Name", "v1");
    scene.fields.add("Connection", "keep-alive");
    scene.fields.add("Transfer-Encoding", "chunked");

    scene.request();
    const std::string bytes = scene.output();

    EXPECT_EQ(bytes.find("X-Odd"), std::string::npos);
    EXPECT_LT(bytes.size(), 80u) << "the preface went before; only one small frame is left";
}

TEST(H2Session, SendsABodyAsTheWindowsAllow) {
    H2Scene scene(0);
    const std::string body(200'000, 'b');
    H2Recorder& stream = scene.request("POST", body);

    const std::string first = scene.output();
    EXPECT_EQ(stream.output_mark(), 0u);
    EXPECT_GT(first.size(), 65'535u - 100);
    EXPECT_LT(first.size(), 66'000u);
    scene.say(h2::greeting() + h2::window(0, 1'000'000) + h2::window(1, 1'000'000));
    std::string rest;
    while (scene.session.has_output()) rest += scene.output();

    EXPECT_GE(first.size() + rest.size(), body.size());
    EXPECT_EQ(stream.output_mark(), scene.session.output_total());
}

TEST(H2Session, SendsABodyPieceByPiece) {
    H2Scene scene(0);
    H2Recorder stream;
    scene.session.submit(stream, {.method = "POST",
                                  .scheme = "https",
                                  .authority = "a.test",
                                  .target = "/",
                                  .headers = scene.fields,
                                  .has_more = true});
    scene.output();

    scene.session.supply(stream, "first", false);
    EXPECT_EQ(scene.output(), h2::content(1, "first"));
    EXPECT_TRUE(stream.is_hungry());
    EXPECT_FALSE(scene.session.has_output());
    scene.session.supply(stream, "last", true);
    EXPECT_EQ(scene.output(), h2::content(1, "last", h2::end_stream));

    EXPECT_EQ(stream.output_mark(), scene.session.output_total());
    scene.session.detach(stream);
}

TEST(H2Session, AnAnswerBeforeTheWholeBodyIsComplete) {
    H2Scene scene(0);
    const std::string body(200'000, 'b');
    H2Recorder& stream = scene.request("POST", body);
    scene.output();

    scene.say(h2::greeting() + h2::page(1, "enough"));

    EXPECT_EQ(stream.content, "enough");
    EXPECT_EQ(stream.end, H2End::complete);
    scene.output();
    EXPECT_EQ(scene.session.open_count(), 0u);
}

TEST(H2Session, AStreamThatIsLetGoHearsNothingAndTheOthersGoOn) {
    H2Scene scene(2);
    scene.say(h2::greeting() + h2::head(1, {{":status", "200"}}) + h2::content(1, "a"));

    scene.session.detach(scene[0]);
    const std::string bytes = scene.output();
    scene.say(h2::content(1, "b") + h2::page(3, "c"));

    EXPECT_NE(bytes.find(h2::reset(1, h2::cancel)), std::string::npos);
    EXPECT_EQ(scene[0].text(), "200;a");
    EXPECT_EQ(scene[1].content, "c");
    EXPECT_EQ(scene.session.open_count(), 0u);
}

TEST(H2Session, AStreamLetGoBeforeAnythingWasTakenLeavesNothing) {
    H2Scene scene(0);
    H2Recorder& stream = scene.request();

    scene.session.detach(stream);
    scene.output();
    scene.say(h2::greeting());

    EXPECT_EQ(scene.session.open_count(), 0u);
    EXPECT_TRUE(scene.session.accepts_requests());
}

TEST(H2Session, HeldContentKeepsTheWindowOfItsOwnStreamClosed) {
    H2Scene scene(2);
    scene[0].holds = true;
    scene.say(h2::greeting() + h2::head(1, {{":status", "200"}}) +
              h2::head(3, {{":status", "200"}}));
    const auto fill = [&](std::uint32_t stream) {
        for (int i = 0; i < 12; ++i) scene.say(h2::content(stream, std::string(16'000, 'x')));
        return scene.output();
    };
    const auto window_of = [](std::uint32_t stream) {
        return h2::frame(h2::window_update, 0, stream, "").substr(3);
    };

    const std::string held = fill(1);
    const std::string taken = fill(3);
    scene.session.release(scene[0], 192'000);
    const std::string released = scene.output();

    EXPECT_EQ(held.find(window_of(1)), std::string::npos);
    EXPECT_NE(taken.find(window_of(3)), std::string::npos);
    EXPECT_NE(released.find(window_of(1)), std::string::npos);
}

TEST(H2Session, FieldsAreKeptAsInHttp1) {
    H2Scene scene(4);

    scene.say(h2::greeting() +
              h2::head(1, {{":status", "200"}, {"a", "\x01 caf\xe9"}}, h2::end_stream) +
              h2::head(3, {{":status", "200"}, {"a", "x\r\ny: z"}}, h2::end_stream) +
              h2::head(5, {{":status", "200"}, {"A", "x"}}, h2::end_stream) +
              h2::head(7, {{":status", "200"}, {"connection", "close"}}, h2::end_stream));

    EXPECT_EQ(scene[0].text(), "200;a=\x01 caf\xe9;|complete");
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(scene[i].end, H2End::malformed) << i;
    EXPECT_FALSE(scene.session.failure());
}

TEST(H2Session, H18AStatusIsThreeDigitsFromAHundred) {
    H2Scene scene(5);

    scene.say(h2::greeting() + h2::head(1, {{":status", "099"}}, h2::end_stream) +
              h2::head(3, {{":status", "20"}}, h2::end_stream) +
              h2::head(5, {{"a", "b"}}, h2::end_stream) +
              h2::head(7, {{":status", "101"}}, h2::end_stream) +
              h2::head(9, {{":status", "999"}}, h2::end_stream));

    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(scene[i].end, H2End::malformed) << i;
    EXPECT_EQ(scene[4].text(), "999;|complete");
}

TEST(H2Session, H28InterimResponsesAreCounted) {
    H2Scene scene(2);
    const auto interim = [](std::uint32_t stream, std::size_t count) {
        return h2::times(count, h2::head(stream, {{":status", "103"}}));
    };

    scene.say(h2::greeting() + interim(1, 8) + h2::page(1, "in time") + interim(3, 9) +
              h2::page(3, "late"));

    EXPECT_EQ(scene[0].content, "in time");
    EXPECT_EQ(scene[1].end, H2End::too_many_interim_responses);
}

}  // namespace weft::http
