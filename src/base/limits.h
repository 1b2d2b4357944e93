#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/units.h"

// The default bounds on everything that comes from outside, in one place. Tests check each value at
// the bound and one past it. An option that changes a bound has its name.
namespace weft::limits {

// URLs and pages.
inline constexpr std::size_t kUrlBytesMax = 8_KiB;
inline constexpr std::size_t kDomainLabelMax = 1'000;  // code points; DNS carries 63 bytes
inline constexpr std::size_t kTagBytesMax = 1_MiB;     // of one tag, comment or doctype
inline constexpr std::size_t kAttributeBytesMax = 64_KiB;
inline constexpr std::size_t kAttributeCountMax = 1'000;  // in one tag
inline constexpr std::size_t kLinksPerPageMax = 10'000;
inline constexpr std::size_t kOpenElementDepthMax = 512;
inline constexpr std::size_t kActiveFormattingMax = 64;
inline constexpr std::size_t kHtmlBytesMax = 16_MiB;         // read into one HtmlTree
inline constexpr std::size_t kTreeNodeCountMax = 400'000;    // of one HtmlTree
inline constexpr std::size_t kMergedAttributeCountMax = 64;  // of an html or body with several tags
inline constexpr std::size_t kPageStoreBytesMax = 16_MiB;    // the texts of one HtmlPage
inline constexpr std::size_t kLinkTextBytesMax = 512;
inline constexpr std::size_t kTitleBytesMax = 4_KiB;
inline constexpr std::size_t kSniffBytesMax = 64_KiB;  // read to find the encoding of a page

// An HTTP message.
inline constexpr std::size_t kHeaderBlockBytesMax = 256_KiB;
inline constexpr std::size_t kHeaderCountMax = 1'000;
inline constexpr std::size_t kHeaderLineBytesMax = 64_KiB;
inline constexpr std::size_t kInterimResponseCountMax = 8;  // 1xx responses before the final one
inline constexpr std::size_t kMimeParameterCountMax = 64;
inline constexpr std::size_t kValidatorBytesMax = 1_KiB;
inline constexpr std::size_t kTrailerBytesMax = 16_KiB;
inline constexpr std::size_t kChunkSizeLineBytesMax = 256;
inline constexpr std::size_t kChunkExtensionBytesMax = 4_KiB;
inline constexpr std::size_t kContentCodingCountMax = 2;
inline constexpr std::size_t kBodyBytesMax = 64_MiB;
inline constexpr std::size_t kDecodeStepBytes = 64_KiB;  // output of one step of web::Decoder
inline constexpr int kRedirectCountMax = 20;
inline constexpr int kRobotsRedirectCountMax = 5;

// An HTTP/2 connection.
inline constexpr std::size_t kH2StreamCountMax = 100;
inline constexpr std::size_t kH2FrameBytesMax = 16_KiB;
inline constexpr std::size_t kH2HeaderTableBytes = 4_KiB;
inline constexpr std::size_t kH2ContinuationCountMax = 8;
inline constexpr std::size_t kH2SettingCountMax = 32;          // in one frame; RFC 9113 knows six
inline constexpr std::size_t kH2ControlFrameCountMax = 1'000;  // in a window, without progress
inline constexpr Duration kH2ControlFrameWindow = 10s;
inline constexpr std::size_t kH2StreamWindowBytes = 256_KiB;
inline constexpr std::size_t kH2ConnectionWindowBytes = 4_MiB;
inline constexpr std::size_t kH2OutputBytesMax = 64_KiB;
inline constexpr std::size_t kH2SessionBytesMax = 4_MiB;  // memory of one nghttp2 session

// robots.txt and sitemaps.
inline constexpr std::size_t kRobotsBytesMax = 512_KiB;
inline constexpr std::size_t kRobotsLineBytesMax = 16_KiB;
inline constexpr Duration kCrawlDelayMax = 60s;
inline constexpr std::size_t kSitemapBytesMax = 50_MiB;
inline constexpr std::size_t kSitemapLocationCountMax = 50'000;
inline constexpr std::size_t kSitemapExtraCountMax = 1'000;
inline constexpr std::size_t kXmlDepthMax = 8;

// Cookies. RFC 6265bis gives the first three.
inline constexpr std::size_t kCookieBytesMax = 4_KiB;
inline constexpr std::size_t kCookieAttributeBytesMax = 1_KiB;
inline constexpr Duration kCookieAgeMax = 400 * 24h;
inline constexpr std::size_t kCookiesPerDomainMax = 180;
inline constexpr std::size_t kCookiesPerResponseMax = 50;
inline constexpr std::size_t kCookieJarCountMax = 20'000;
inline constexpr std::size_t kCookieJarBytesMax = 16_MiB;

// Archives that weft reads.
inline constexpr std::size_t kWarcHeaderBytesMax = 64_KiB;

// TLS.
inline constexpr int kCertificateChainMax = 10;
inline constexpr std::size_t kCertificateBytesMax = 64_KiB;
inline constexpr int kCertificateKeyBitsMax = 8'192;  // A longer key costs more and proves no more.
// Handshake messages after the handshake (tickets, key updates, hello requests): a connection may
// get kTlsLateMessagesMax of them, and one more for each kBytesPerTlsLateMessage of content.
inline constexpr std::size_t kTlsLateMessagesMax = 32;
inline constexpr std::size_t kBytesPerTlsLateMessage = 64_KiB;

// Time, per fetch.
inline constexpr Duration kDnsTimeout = 5s;
inline constexpr Duration kConnectTimeout = 10s;
inline constexpr Duration kTlsTimeout = 10s;
inline constexpr Duration kFirstByteTimeout = 20s;
inline constexpr Duration kIdleTimeout = 15s;
inline constexpr Duration kTotalTimeout = 120s;
inline constexpr std::size_t kRateBytesPerSecondMin = 1_KiB;
inline constexpr Duration kRateWindow = 30s;
inline constexpr Duration kRetryAfterMin = 1s;
inline constexpr Duration kRetryAfterMax = 24h;

}  // namespace weft::limits
