# Writes the source that weft_embed() asks for.
string(REGEX MATCH "^(.*)::([^:]+)$" matched "${SYMBOL}")
set(namespace "${CMAKE_MATCH_1}")
set(function "${CMAKE_MATCH_2}")

set(arrays "")
set(rows "")
set(number 0)
foreach(file IN LISTS FILES)
  file(READ "${FOLDER}/${file}" bytes HEX)
  file(SHA256 "${FOLDER}/${file}" digest)
  string(SUBSTRING "${digest}" 0 16 digest)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {\n${bytes}0};\n\n")
  string(APPEND rows
    "    {\"${file}\", text(kFile${number}), \"\\\"${digest}\\\"\"},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE "${OUTPUT}" "#include <span>
#include <string_view>

#include \"http/server/asset.h\"

namespace ${namespace} {

std::span<const weft::http::Asset> ${function}();

namespace {

// The final zero makes an empty file possible and is not part of it.
template <std::size_t N>
std::string_view text(const unsigned char (&bytes)[N]) {
    return {reinterpret_cast<const char*>(bytes), N - 1};
}

${arrays}const weft::http::Asset kAssets[] = {
${rows}};

}  // namespace

std::span<const weft::http::Asset> ${function}() {
    return kAssets;
}

}  // namespace ${namespace}
")
