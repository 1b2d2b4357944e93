#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace weft::cli {

// The destination of a fetch's content: a file, or standard output. If that is a terminal,
// characters that could control it (control characters, bidirectional overrides, invalid bytes) are
// shown as \xNN (H102).
class FetchOutput {
public:
    enum class Readers { all, owner };

    // An empty path is standard output. The first write creates the file. With Readers::owner only
    // its owner may read it.
    explicit FetchOutput(std::string path, Readers readers = Readers::all);
    ~FetchOutput();
    FetchOutput(const FetchOutput&) = delete;
    FetchOutput& operator=(const FetchOutput&) = delete;

    // All three throw IoError.
    void open();
    void write(std::string_view bytes);
    void close();

    const std::string& path() const { return path_; }

private:
    void write_plainly(std::string_view bytes);
    [[noreturn]] void fail() const;

    std::string path_;
    Readers readers_;
    std::FILE* file_ = nullptr;
    bool is_terminal_ = false;
    std::string unfinished_;  // The incomplete character at the end of the last piece.
};

// `text` in a form that is safe for a terminal; line ends and tabs stay. An incomplete character at
// the end is moved to `unfinished`.
std::string tame_for_terminal(std::string_view text, std::string& unfinished);

}  // namespace weft::cli
