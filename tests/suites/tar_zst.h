#pragma once

#include <charconv>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <zstd.h>

#include "suites/conformance.h"

namespace weft::suites {

inline std::string unpack_zstd(const std::string& packed) {
    ZSTD_DCtx* const context = ZSTD_createDCtx();
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 27);
    std::string text;
    std::vector<char> block(1 << 20);
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    while (in.pos < in.size) {
        ZSTD_outBuffer out{block.data(), block.size(), 0};
        if (ZSTD_isError(ZSTD_decompressStream(context, &out, &in))) break;
        text.append(block.data(), out.pos);
    }
    ZSTD_freeDCtx(context);
    return text;
}

// The files of a .tar.zst by their paths; empty where it is not there.
inline std::map<std::string, std::string> read_tar_zst(const std::filesystem::path& path) {
    constexpr std::size_t kRecord = 512;
    std::map<std::string, std::string> files;
    const std::string tar = unpack_zstd(read_file(path));
    std::string long_name;
    for (std::size_t at = 0; at + kRecord <= tar.size() && tar[at] != '\0';) {
        const std::string_view header(tar.data() + at, kRecord);
        std::size_t size = 0;
        std::from_chars(header.data() + 124, header.data() + 136, size, 8);
        const char kind = header[156];
        std::string name = tar.c_str() + at;
        if (name.size() > 100) name.resize(100);
        const std::string content = tar.substr(at + kRecord, size);
        at += kRecord + (size + kRecord - 1) / kRecord * kRecord;
        if (kind == 'L') {  // GNU's way to write a long name: it is the content.
            long_name = content.c_str();
        } else {
            if (!long_name.empty()) name = std::exchange(long_name, {});
            if (kind == '0' || kind == '\0') files[name] = content;
        }
    }
    return files;
}

// The rows of a .jsonl file.
inline std::vector<Json> json_lines(const std::string& text) {
    std::vector<Json> rows;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin) rows.push_back(Json::parse(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return rows;
}

}  // namespace weft::suites
