#pragma once

namespace weft::crawl {

// The lines of the URLs that retry_failed() queues again. The file exists only until it is done, so
// that the next open() can complete an interrupted one (folder_retry.cpp).
inline constexpr const char* kRetryListName = "state/retry.jsonl";

}  // namespace weft::crawl
