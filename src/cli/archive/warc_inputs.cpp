#include "cli/archive/warc_inputs.h"

#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "archive/index/archive_error.h"
#include "archive/wacz/zip_reader.h"
#include "archive/warc/file_slice.h"
#include "archive/warc/record_packer.h"
#include "base/error.h"
#include "base/escape.h"

namespace weft::cli {

namespace {

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

bool is_zip(aio::File& file) {
    std::array<char, 4> start{};
    const std::size_t size = file.read_at(0, start);
    // The signature of a ZIP file's first entry. The name of the file does not matter.
    return std::string_view(start.data(), size) == "PK\x03\x04";
}

void add_parts(const std::string& path, aio::File& file, std::vector<WarcInput>& inputs) {
    const std::string shown = escape_for_terminal(path);
    const auto entries = archive::read_zip(file);
    if (!entries) {
        throw archive::ArchiveError(fmt::format("{} {}", shown, describe(entries.error())));
    }
    const std::size_t before = inputs.size();
    for (const archive::ZipEntry& entry : *entries) {
        const std::string_view name = last_part(entry.name);
        if (!archive::is_warc_name(name)) continue;
        // The WACZ specification asks for WARC files to be stored without compression.
        if (!entry.is_stored) {
            throw UsageError(fmt::format("{}: {} is packed in the ZIP once more: unpack it first",
                                         shown, escape_for_terminal(entry.name)));
        }
        inputs.push_back({.name = std::string(name),
                          .shown = fmt::format("{}: {}", shown, escape_for_terminal(entry.name)),
                          .path = path,
                          .part = WarcInput::Part{entry.offset, entry.size}});
    }
    if (inputs.size() == before) {
        throw UsageError(fmt::format("{} is a ZIP file without WARC files", shown));
    }
}

}  // namespace

std::unique_ptr<aio::File> WarcInput::open() const {
    std::unique_ptr<aio::File> file = aio::SystemFiles().open(path, aio::OpenMode::read);
    if (!part) return file;
    return std::make_unique<archive::FileSlice>(std::move(file), part->offset, part->size);
}

std::vector<WarcInput> warc_inputs(const std::vector<std::string>& paths) {
    std::vector<WarcInput> inputs;
    for (const std::string& path : paths) {
        const std::unique_ptr<aio::File> file = aio::SystemFiles().open(path, aio::OpenMode::read);
        if (is_zip(*file)) {
            add_parts(path, *file, inputs);
        } else {
            inputs.push_back({.name = std::filesystem::path(path).filename().string(),
                              .shown = escape_for_terminal(path),
                              .path = path,
                              .part = std::nullopt});
        }
    }
    return inputs;
}

}  // namespace weft::cli
