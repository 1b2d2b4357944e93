#pragma once

#include <filesystem>

namespace weft::cli {

// Makes a folder with the wanted name. If the name is taken, it uses the first free one of NAME-2,
// NAME-3 and so on. Returns the path; no other process gets the same one. Missing parent folders
// are made too. Throws IoError. It blocks, so call it before a loop runs.
std::filesystem::path make_new_folder(const std::filesystem::path& wanted);

}  // namespace weft::cli
