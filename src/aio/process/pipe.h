#pragma once

#include "aio/files/file_descriptor.h"
#include "aio/net/stream.h"

namespace weft::aio {

// The two ends of a pipe: what is written to one can be read from the other. Writing to the read
// end or reading from the write end fails.
struct Pipe {
    Stream read_end;
    Stream write_end;
};

// Throws IoError.
Pipe make_pipe();

// A stream over an open end of a pipe, a FIFO or a terminal, which it makes non-blocking. Writing
// to a pipe without a reader throws IoError and raises no SIGPIPE. Throws IoError.
Stream adopt_pipe(FileDescriptor fd, std::string name);

}  // namespace weft::aio
