#include "cli/fetch/fetch_output.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>  // tidy: allow banned-include: fchmod
#include <unistd.h>

#include "aio/task/errors.h"
#include "base/escape.h"

namespace weft::cli {

FetchOutput::FetchOutput(std::string path, Readers readers)
    : path_(std::move(path)), readers_(readers) {}

FetchOutput::~FetchOutput() {
    if (file_ && file_ != stdout) std::fclose(file_);
}

void FetchOutput::open() {
    if (file_) return;
    // tidy: allow banned-call: the user may name a pipe or a device.
    file_ = path_.empty() ? stdout : std::fopen(path_.c_str(), "wbe");
    if (!file_) fail();
    // Before anything is written; the file may have existed with wider permissions.
    if (readers_ == Readers::owner && fchmod(fileno(file_), S_IRUSR | S_IWUSR) != 0) fail();
    is_terminal_ = isatty(fileno(file_)) != 0;
}

void FetchOutput::write(std::string_view bytes) {
    open();
    if (!is_terminal_) {
        write_plainly(bytes);
        return;
    }
    const std::string text = std::exchange(unfinished_, {}) + std::string(bytes);
    write_plainly(tame_for_terminal(text, unfinished_));
}

void FetchOutput::write_plainly(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void FetchOutput::close() {
    if (!file_) return;
    // The content ended in the middle of a character.
    for (const char byte : unfinished_) {
        fmt::print(file_, "\\x{:02x}", static_cast<unsigned char>(byte));
    }
    if (std::fflush(file_) != 0) fail();
    if (file_ != stdout && std::fclose(std::exchange(file_, nullptr)) != 0) fail();
}

void FetchOutput::fail() const {
    throw aio::IoError(fmt::format("cannot write {}",
                                   path_.empty() ? "standard output" : escape_for_terminal(path_)),
                       std::error_code(errno, std::generic_category()));
}

std::string tame_for_terminal(std::string_view text, std::string& unfinished) {
    constexpr std::size_t kCharacterBytesMax = 4;
    std::string out;
    while (!text.empty()) {
        const char first = text.front();
        if (first == '\r' && (text.size() == 1 || text[1] == '\n')) {  // CRLF: a line end.
            if (text.size() == 1) unfinished = text;
            text.remove_prefix(1);
            continue;
        }
        const Utf8Step step = utf8_step(text);
        // 0xC2 is the lowest first byte of a multi-byte character in UTF-8. The rest may come with
        // the next piece.
        if (step.length == 0 && text.size() < kCharacterBytesMax &&
            static_cast<unsigned char>(first) >= 0xC2) {
            unfinished = text;
            break;
        }
        const std::size_t length = std::max(1u, step.length);
        const std::string_view character = text.substr(0, length);
        // escape_for_terminal() would double a backslash.
        const bool is_layout = first == '\n' || first == '\t' || first == '\\';
        out += is_layout ? std::string(character) : escape_for_terminal(character);
        text.remove_prefix(length);
    }
    return out;
}

}  // namespace weft::cli
