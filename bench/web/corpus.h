#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

// The texts that the figures are measured on: the real pages and URLs of the suites' folder
// ($WEFT_CONFORMANCE, or shared/conformance beside the source tree), else made ones.
namespace weft::bench {

inline std::filesystem::path corpus_path(const char* name) {
    const char* folder = std::getenv("WEFT_CONFORMANCE");
    const std::filesystem::path root = folder ? folder : WEFT_SOURCE_DIR "/../shared/conformance";
    return root / name;
}

// Unpacked if it is gzip; empty if it is not there.
inline std::string read_corpus(const std::filesystem::path& path) {
    std::string text;
    const gzFile file = gzopen(path.c_str(), "rb");
    if (!file) return text;
    std::string block(1 << 16, '\0');
    for (int n = 0; (n = gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0;) {
        text.append(block, 0, static_cast<std::size_t>(n));
    }
    gzclose(file);
    return text;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

inline std::vector<std::string> pages() {
    std::vector<std::string> texts;
    const auto folder = corpus_path("pages/html");
    if (std::filesystem::exists(folder)) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            texts.push_back(read_corpus(entry.path()));
        }
        return texts;
    }
    for (int i = 0; i < 50; ++i) {
        std::string page = "<!doctype html><title>made</title><body>";
        for (int j = 0; j < 500; ++j) {
            page += fmt::format(
                "<p class='x y'>Some words of text, then <a rel=next href='/p/{}/{}'>"
                "a link</a> and <img src=\"/i/{}.png\" alt=''> more.</p>\n",
                i, j, j);
        }
        texts.push_back(std::move(page));
    }
    return texts;
}

inline std::vector<std::string> urls() {
    std::vector<std::string> lines = lines_of(read_corpus(corpus_path("url_corpus/urls.txt")));
    for (int i = 0; lines.size() < 100'000; ++i) {
        lines.push_back(fmt::format("https://www.host-{}.example/path/to/page-{}.html?q={}#top",
                                    i % 977, i, i * 7));
    }
    return lines;
}

}  // namespace weft::bench
