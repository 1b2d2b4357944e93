#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "archive/sample_file.h"

// An independent reader's opinion: the npm package warcio, where it is installed.
namespace weft::archive {
namespace {

std::filesystem::path warcio_dir() {
    if (const char* dir = std::getenv("WEFT_WARCIO")) return dir;
    return std::filesystem::path(WEFT_SOURCE_DIR) / "build/npm/node_modules/warcio";
}

std::string output_of(const std::string& command) {
    // tidy: allow banned-call: the independent reader is a program
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer;
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        output.append(buffer.data(), count);
    }
    EXPECT_EQ(pclose(pipe), 0) << command;
    return output;
}

class Warcio : public testing::TestWithParam<bool> {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(warcio_dir() / "dist/cli.js")) {
            GTEST_SKIP() << "no warcio in " << warcio_dir()
                         << "; ./test --all brings it, or set WEFT_WARCIO";
        }
        const std::filesystem::path dir = testing::TempDir();
        // Other tests of this file run at the same time, in processes of their own.
        path_ = dir / fmt::format("weft_warcio_{}.warc{}", getpid(), GetParam() ? ".gz" : "");
        sample_ =
            make_sample_file(GetParam() ? Packing::gzip : Packing::none, path_.filename().string());
        std::ofstream(path_, std::ios::binary) << sample_.bytes;
    }

    void TearDown() override { std::filesystem::remove(path_); }

    std::string run(std::string_view command) const {
        return output_of(fmt::format("timeout 60 node '{}' {} '{}'",
                                     (warcio_dir() / "dist/cli.js").string(), command,
                                     path_.string()));
    }

    std::filesystem::path path_;
    SampleFile sample_;
};
INSTANTIATE_TEST_SUITE_P(, Warcio, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "Packed" : "Plain"; });

TEST_P(Warcio, FindsEveryRecordWhereItIs) {
    std::string expected;
    const std::array types = {"warcinfo", "response", "request", "revisit", "request", "metadata"};
    ASSERT_EQ(sample_.offsets.size(), types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        expected +=
            fmt::format("{{\"offset\":{},\"warc-type\":\"{}\"", sample_.offsets[i], types[i]);
        if (i > 0) {
            expected += ",\"warc-target-uri\":\"http://www.example.com:8080/Page?b=2&a=%C3%A9\"";
        }
        expected += "}\n";
    }

    EXPECT_EQ(run("index"), expected);
}

TEST_P(Warcio, WritesTheSameIndexAsWe) {
    EXPECT_EQ(run("cdx-index"), sample_.index);
}

}  // namespace
}  // namespace weft::archive
