#pragma once

namespace weft::crawl {

// The URLs that are asked for again, while their lines leave the page log (folder_retry.cpp).
inline constexpr const char* kRetryListName = "state/retry.jsonl";

}  // namespace weft::crawl
