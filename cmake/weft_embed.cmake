# weft_embed(http SYMBOL weft::http::folder_assets FILES assets/folder.css ...): puts files into a
# library as `std::span<const weft::http::Asset> weft::http::folder_assets();`, to be declared in a
# header of the library. Paths are those of the list.
set(WEFT_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/weft_embed_files.cmake)
function(weft_embed library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SYMBOL" "FILES")
  string(REGEX REPLACE ".*::" "" name ${arg_SYMBOL})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  list(TRANSFORM arg_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${arg_SYMBOL} "-DFILES=${arg_FILES}"
      -DFOLDER=${CMAKE_CURRENT_SOURCE_DIR} -P ${WEFT_EMBED_SCRIPT}
    DEPENDS ${paths} ${WEFT_EMBED_SCRIPT} VERBATIM)
  target_sources(${library} PRIVATE ${output})
endfunction()
