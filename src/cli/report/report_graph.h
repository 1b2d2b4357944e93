#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "aio/files/files.h"

namespace weft::cli {

using TextSink = std::function<void(std::string_view)>;

enum class GraphForm { dot, graphml };

// Writes the URLs of a crawl and the links between them, for other programs. Each URL is a node
// with its URL, status, type and depth. The edges are the links, if the crawl kept links; otherwise
// one edge from the page on which a URL was first found. Each redirect is an edge, too. It reads
// the page log twice, and needs about 50 bytes of memory for each URL. Throws IoError.
void write_graph(aio::FileSystem& files, const std::filesystem::path& folder, GraphForm form,
                 const TextSink& sink);

// The reference crawler's report (F16 to F18): one line for each URL, ordered by URL, then
// counters. All lines are held in memory.
void write_reference(aio::FileSystem& files, const std::filesystem::path& folder,
                     const TextSink& sink);

// The number of URLs that the crawl has found but not fetched yet; 0 if it is not known.
std::uint64_t waiting_count(aio::FileSystem& files, const std::filesystem::path& folder);

}  // namespace weft::cli
