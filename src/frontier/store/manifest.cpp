#include "frontier/store/manifest.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/units.h"
#include "frontier/store/codec.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

// The last character is the version of the format.
constexpr std::string_view kManifestMagic = "weftman2";
constexpr std::size_t kBytesMax = 64_MiB;  // Enough for a million WARC files.

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view why) {
    throw StoreError(fmt::format("{} {}", path.string(), why), kWayOut);
}

void put_runs(std::string& out, const std::vector<RunName>& runs) {
    put_varint(out, runs.size());
    for (const RunName& run : runs) {
        put_varint(out, run.number);
        put_varint(out, run.level);
        put_varint(out, run.count);
    }
}

std::vector<RunName> read_runs(Decoder& decoder) {
    std::vector<RunName> runs;
    for (std::uint64_t left = decoder.varint(); left > 0; --left) {
        RunName& run = runs.emplace_back();
        run.number = decoder.varint();
        run.level = static_cast<std::uint32_t>(decoder.varint());
        run.count = decoder.varint();
    }
    return runs;
}

Manifest decode(Decoder decoder) {
    Manifest manifest;
    manifest.store_id = decoder.fixed64();
    manifest.hash_seed = decoder.fixed64();
    manifest.log_number = decoder.varint();
    manifest.closed_log_size = decoder.varint();
    manifest.next_number = decoder.varint();
    manifest.seen_runs = read_runs(decoder);
    manifest.host_runs = read_runs(decoder);
    manifest.seen_count = decoder.varint();
    manifest.done_count = decoder.varint();
    for (std::uint64_t left = decoder.varint(); left > 0; --left) {
        ArchivePlace place;
        place.file = decoder.bytes();
        place.offset = decoder.varint();
        place.length = decoder.varint();
        manifest.archived.emplace(place.file, place);
    }
    for (const auto& [file, size] : decoder.file_sizes()) manifest.sides.emplace(file, size);
    manifest.saved = decoder.bytes();
    // Manifests of older versions end before it.
    if (!decoder.is_empty()) manifest.closed_log_number = decoder.varint();
    return manifest;
}

}  // namespace

void write_manifest(aio::FileSystem& files, const std::filesystem::path& path,
                    const Manifest& manifest) {
    std::string bytes(kManifestMagic);
    put_fixed64(bytes, manifest.store_id);
    put_fixed64(bytes, manifest.hash_seed);
    put_varint(bytes, manifest.log_number);
    put_varint(bytes, manifest.closed_log_size);
    put_varint(bytes, manifest.next_number);
    put_runs(bytes, manifest.seen_runs);
    put_runs(bytes, manifest.host_runs);
    put_varint(bytes, manifest.seen_count);
    put_varint(bytes, manifest.done_count);
    put_varint(bytes, manifest.archived.size());
    for (const auto& [file, place] : manifest.archived) {
        put_bytes(bytes, file);
        put_varint(bytes, place.offset);
        put_varint(bytes, place.length);
    }
    put_file_sizes(bytes, manifest.sides);
    put_bytes(bytes, manifest.saved);
    put_varint(bytes, manifest.closed_log_number);
    put_fixed64(bytes, hash64(bytes));
    files.write_all(path, bytes);
}

Manifest read_manifest(aio::FileSystem& files, const std::filesystem::path& path) {
    const std::string bytes = files.read_all(path, kBytesMax);
    const std::string_view all = bytes;
    const bool is_whole = all.size() > kManifestMagic.size() + kChecksumSize;
    if (is_whole && !all.starts_with(kManifestMagic.substr(0, 7)))
        fail(path, "is no file of a crawl");
    if (is_whole && !all.starts_with(kManifestMagic))
        fail(path, "was written by another version of weft");
    const std::string_view body = all.substr(0, is_whole ? all.size() - kChecksumSize : 0);
    if (!is_whole || Decoder(all.substr(body.size())).fixed64() != hash64(body)) {
        fail(path, "is damaged (its checksum is wrong)");
    }
    try {
        Manifest manifest = decode(Decoder(body.substr(kManifestMagic.size())));
        if (manifest.done_count > manifest.seen_count) throw Error("more is done than was seen");
        if (manifest.seen_count > kSequenceMax) throw Error("it counts too many URLs");
        return manifest;
    } catch (const Error& error) {
        fail(path, fmt::format("is damaged ({})", error.what()));
    }
}

}  // namespace weft::frontier
