#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace weft::cli {

// Where the content of a fetch goes: a file, or standard output. On a terminal what could drive it
// (control characters, bidirectional overrides, bytes that are no text) is shown as \xNN (H102).
class FetchOutput {
public:
    enum class Readers { all, owner };

    // An empty path is standard output. The file is made by the first write. With Readers::owner
    // nobody else may read it.
    explicit FetchOutput(std::string path, Readers readers = Readers::all);
    ~FetchOutput();
    FetchOutput(const FetchOutput&) = delete;
    FetchOutput& operator=(const FetchOutput&) = delete;

    // Throw IoError.
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
    std::string unfinished_;  // The start of a character that the last piece ended in.
};

// `text` as a terminal may see it: line ends and tabs stay. Bytes at the end that may be the start
// of a character are left to `unfinished`.
std::string tame_for_terminal(std::string_view text, std::string& unfinished);

}  // namespace weft::cli
