#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "aio/files/files.h"
#include "aio/sync/event.h"
#include "aio/task/co.h"

namespace weft::crawl {

// Writes pages/text.jsonl, the texts of `--text`: one JSON object a line
// (extract/line/text_line.h). A commit appends the lines of its pages before the log names the
// file's new size, so after a kill the folder cuts what lies behind the last committed size.
//
// append() is called by commits, on a thread of the executor, one at a time. Everything else is
// used on the loop's thread.
class TextLog {
public:
    static constexpr const char* kName = "pages/text.jsonl";

    // Opens the file to append to it, or creates it. All that is in it counts as committed. Throws
    // IoError.
    TextLog(aio::FileSystem& files, const std::filesystem::path& folder);

    // Appends a line with its line feed. Returns the size of the file after it. Throws IoError.
    std::uint64_t append(std::string_view line);

    // Commits up to this size are in the log.
    void note_committed(std::uint64_t size);
    std::uint64_t committed_size() const { return committed_size_; }

    // Set by note_committed(); a reader that follows the file clears it.
    aio::Event& grown() { return grown_; }

    // Reads committed bytes. Returns fewer than there is room for only at their end. May be called
    // on any thread.
    std::size_t read_at(std::uint64_t offset, std::span<char> room);

    // After it returns, everything appended survives a loss of power.
    aio::Co<> sync();

private:
    struct State;

    std::shared_ptr<State> state_;  // Shared with a sync() that runs on its thread.
    std::uint64_t committed_size_ = 0;
    aio::Event grown_;
};

}  // namespace weft::crawl
