#pragma once

#include <filesystem>

namespace weft::cli {

// Makes a folder with the wanted name, or where something of that name is there already, with the
// first free one of NAME-2, NAME-3 and so on. Gives its path: no other program gets the same one.
// Folders above it are made too. Throws IoError. Blocks: before a loop runs.
std::filesystem::path make_new_folder(const std::filesystem::path& wanted);

}  // namespace weft::cli
