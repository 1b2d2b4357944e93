#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/units.h"

// The default bounds on everything that comes from outside, in one place. Each is tested at the
// bound and one past it; options that change one are named after it.
namespace weft::limits {

// URLs and pages.
inline constexpr std::size_t kUrlBytesMax = 8_KiB;
inline constexpr std::size_t kTagBytesMax = 1_MiB;
inline constexpr std::size_t kAttributeBytesMax = 64_KiB;
inline constexpr std::size_t kAttributeCountMax = 1'000;
inline constexpr std::size_t kLinksPerPageMax = 10'000;
inline constexpr std::size_t kOpenElementDepthMax = 512;

// An HTTP message.
inline constexpr std::size_t kHeaderBlockBytesMax = 256_KiB;
inline constexpr std::size_t kHeaderCountMax = 1'000;
inline constexpr std::size_t kHeaderLineBytesMax = 64_KiB;
inline constexpr std::size_t kInterimResponseCountMax = 8;
inline constexpr std::size_t kTrailerBytesMax = 16_KiB;
inline constexpr std::size_t kChunkSizeLineBytesMax = 256;
inline constexpr std::size_t kChunkExtensionBytesMax = 4_KiB;
inline constexpr std::size_t kContentCodingCountMax = 2;
inline constexpr std::size_t kHtmlBytesMax = 16_MiB;
inline constexpr std::size_t kBodyBytesMax = 64_MiB;
inline constexpr std::size_t kDecodeStepBytes = 64_KiB;
inline constexpr int kRedirectCountMax = 20;
inline constexpr int kRobotsRedirectCountMax = 5;

// robots.txt and sitemaps.
inline constexpr std::size_t kRobotsBytesMax = 512_KiB;
inline constexpr std::size_t kRobotsLineBytesMax = 16_KiB;
inline constexpr Duration kCrawlDelayMax = 60s;
inline constexpr std::size_t kSitemapBytesMax = 50_MiB;
inline constexpr std::size_t kSitemapLocationCountMax = 50'000;

// Archives that we read.
inline constexpr std::size_t kWarcHeaderBytesMax = 64_KiB;

// Time, per fetch.
inline constexpr Duration kDnsTimeout = 10s;
inline constexpr Duration kConnectTimeout = 10s;
inline constexpr Duration kTlsTimeout = 10s;
inline constexpr Duration kFirstByteTimeout = 20s;
inline constexpr Duration kIdleTimeout = 15s;
inline constexpr Duration kTotalTimeout = 120s;
inline constexpr std::size_t kRateBytesPerSecondMin = 1_KiB;
inline constexpr Duration kRateWindow = 30s;
inline constexpr Duration kRetryAfterMax = 24h;

}  // namespace weft::limits
