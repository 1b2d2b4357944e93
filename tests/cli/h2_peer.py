"""A server of HTTP/2 over TLS that says what it is told, frame by frame, to every request."""

import contextlib
import socket
import threading

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 4, 6, 7, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4


def frame(kind, flags, stream, payload=b""):
    return (len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
            + payload)


def field(name, value):
    """Of HPACK: as it is, in no table. Both shorter than 127 bytes."""
    name, value = name.encode(), value.encode()
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def head(stream, fields, ends=False):
    """A head, an interim one or trailers; `fields` are pairs, the status first."""
    block = b"".join(field(name, value) for name, value in fields)
    return frame(HEADERS, END_HEADERS | (END_STREAM if ends else 0), stream, block)


def data(stream, body, ends=True):
    return frame(DATA, END_STREAM if ends else 0, stream, body)


def read_exactly(connection, count):
    got = b""
    while len(got) < count:
        piece = connection.recv(count - len(got))
        if not piece:
            raise ConnectionError("the client went away")
        got += piece
    return got


def talk(connection, answer):
    """`answer(stream)` gives the bytes for the request on that stream."""
    if read_exactly(connection, len(PREFACE)) != PREFACE:
        raise ConnectionError("no HTTP/2")
    connection.sendall(frame(SETTINGS, 0, 0))
    ends_later = set()
    while True:
        start = read_exactly(connection, 9)
        length, kind, flags = int.from_bytes(start[:3], "big"), start[3], start[4]
        stream = int.from_bytes(start[5:], "big")
        payload = read_exactly(connection, length)
        if kind == SETTINGS and not flags & ACK:
            connection.sendall(frame(SETTINGS, ACK, 0))
        if kind == PING and not flags & ACK:
            connection.sendall(frame(PING, ACK, 0, payload))
        if kind == HEADERS and not flags & END_STREAM:
            ends_later.add(stream)
        elif kind == HEADERS or (kind == DATA and flags & END_STREAM and stream in ends_later):
            connection.sendall(answer(stream))


@contextlib.contextmanager
def serve_tls(tls, protocol, converse):
    """Yields the URL of the server's root; `converse(connection)` has each connection."""
    tls.set_alpn_protocols([protocol])
    listener = socket.create_server(("127.0.0.1", 0))

    def handle(plain):
        with contextlib.suppress(OSError), plain:
            with tls.wrap_socket(plain, server_side=True) as connection:
                converse(connection)

    def accept():
        with contextlib.suppress(OSError):
            while True:
                plain, _ = listener.accept()
                threading.Thread(target=handle, args=(plain,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def serve(tls, answer):
    return serve_tls(tls, "h2", lambda connection: talk(connection, answer))
