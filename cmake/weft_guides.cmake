# weft_install_documents(aio libweft-aio-dev GUIDES aio.md ... EXAMPLES 01_hello.cpp ...): installs
# guides and examples into share/doc/libweft-aio-dev. In the source tree a link of a guide leads to
# another guide, to an example or to a header: it is made to lead to where that is installed. A page
# that may be missing there is named in words instead.
function(weft_install_documents component package)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "GUIDES;EXAMPLES")
  set(folder share/doc/${package})
  # What links may lead to: of this call and of those before, whose packages this one depends on.
  foreach(page IN LISTS arg_GUIDES)
    set_property(GLOBAL APPEND PROPERTY weft_documents docs/guide/${page})
    set_property(GLOBAL PROPERTY weft_place_of_docs/guide/${page} ${folder}/guide/${page})
  endforeach()
  foreach(example IN LISTS arg_EXAMPLES)
    set_property(GLOBAL APPEND PROPERTY weft_documents examples/${example})
    set_property(GLOBAL PROPERTY weft_place_of_examples/${example} ${folder}/examples/${example})
    install(FILES ${PROJECT_SOURCE_DIR}/examples/${example} DESTINATION ${folder}/examples
      COMPONENT ${component})
  endforeach()
  foreach(page IN LISTS arg_GUIDES)
    set(source ${PROJECT_SOURCE_DIR}/docs/guide/${page})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} text)
    weft_relink(text ${folder}/guide)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/doc/${page} CONTENT "${text}" @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/doc/${page} DESTINATION ${folder}/guide
      COMPONENT ${component})
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${folder} RENAME copyright
    COMPONENT ${component})
endfunction()

# Rewrites the links of a page of docs/guide that is to be installed in `folder`.
function(weft_relink variable folder)
  set(text "${${variable}}")
  get_property(documents GLOBAL PROPERTY weft_documents)
  string(REGEX MATCHALL "\\([^() :]+[.](md|h|cpp)(#[^() ]*)?\\)" links "${text}")
  list(REMOVE_DUPLICATES links)
  foreach(link IN LISTS links)
    string(REGEX MATCH "^\\(([^#]+)(#.*)?\\)$" matched ${link})
    set(fragment "${CMAKE_MATCH_2}")
    cmake_path(ABSOLUTE_PATH CMAKE_MATCH_1 BASE_DIRECTORY /docs/guide NORMALIZE
      OUTPUT_VARIABLE path)
    string(SUBSTRING ${path} 1 -1 path)
    set(place "")
    if(path MATCHES "^src/(.*)")
      set(place ${CMAKE_INSTALL_INCLUDEDIR}/weft/${CMAKE_MATCH_1})
    elseif(path IN_LIST documents)
      get_property(place GLOBAL PROPERTY weft_place_of_${path})
    endif()
    if(place)
      file(RELATIVE_PATH place /${folder} /${place})
      string(REPLACE "]${link}" "](${place}${fragment})" text "${text}")
    else()
      string(REGEX REPLACE "([][().+*?^$\\])" "\\\\\\1" pattern "${link}")
      string(REGEX REPLACE "\\[([^]]+)\\]${pattern}" "\\1 (`${path}` in weft's source)" text
        "${text}")
    endif()
  endforeach()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
