#pragma once

// How the tests were compiled: limits of time and memory hold for optimised code alone.
namespace weft::tests {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEFT_IS_SANITIZED 1
#endif
#endif
#ifdef WEFT_IS_SANITIZED
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#ifdef __OPTIMIZE__
inline constexpr bool kIsOptimized = !kIsSanitized;
#else
inline constexpr bool kIsOptimized = false;
#endif

}  // namespace weft::tests
