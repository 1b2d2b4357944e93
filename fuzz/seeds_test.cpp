#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// Every fuzz target reads the seeds of all targets, and some short inputs. This is no fuzzing: it
// keeps the targets alive between the times that they are run (tools/fuzz).
#define WEFT_FUZZ_TARGET(name) extern "C" int name(const std::uint8_t* data, std::size_t size);
#include "targets.inc"
#undef WEFT_FUZZ_TARGET

namespace weft {
namespace {

std::vector<std::string> fuzz_inputs() {
    std::vector<std::string> inputs = {"",         "a",          std::string(1, '\0'),
                                       "\xFF\xFE", "<a href=b>", "HTTP/1.1 200 OK\r\n\r\n"};
    const std::filesystem::path seeds = WEFT_SOURCE_DIR "/fuzz/seeds";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(seeds)) {
        if (!entry.is_regular_file()) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return inputs;
}

TEST(FuzzSeeds, EveryTargetReadsEverySeed) {
    for (const std::string& input : fuzz_inputs()) {
        const auto* data = reinterpret_cast<const std::uint8_t*>(input.data());
#define WEFT_FUZZ_TARGET(name) EXPECT_EQ(name(data, input.size()), 0) << #name;
#include "targets.inc"
#undef WEFT_FUZZ_TARGET
    }
}

}  // namespace
}  // namespace weft
