#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "aio/files/files.h"

namespace weft::cli {

using TextSink = std::function<void(std::string_view)>;

enum class GraphForm { dot, graphml };

// The URLs of a crawl and how they lead to each other, for other programs: a node for each with its
// URL, status, type and depth; an edge for each link if the crawl kept links, else from the page on
// which a URL was first found, and for each redirect. The page log is read twice; memory holds
// some 50 bytes for each URL. Throws IoError.
void write_graph(aio::FileSystem& files, const std::filesystem::path& folder, GraphForm form,
                 const TextSink& sink);

// The reference crawler's report (F16 to F18): a line for each URL in the order of the URLs, then
// counters. Memory holds the lines.
void write_reference(aio::FileSystem& files, const std::filesystem::path& folder,
                     const TextSink& sink);

// URLs that the crawl in this folder knows and has not reached; 0 if nobody can tell.
std::uint64_t waiting_count(aio::FileSystem& files, const std::filesystem::path& folder);

}  // namespace weft::cli
