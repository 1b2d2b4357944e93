# What the tests of this folder share.

# Runs a command, which must succeed.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# refused("text" COMMAND...): the command must fail and say the text.
function(refused text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${text}" at)
  if(status EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "'${ARGN}' is to fail with '${text}', but ended with ${status}: ${said}")
  endif()
endfunction()
