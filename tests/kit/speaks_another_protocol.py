"""Connects to the referee's port and speaks something else than gRPC: [WHAT=http|tls|text|nothing].

A failed start: `handshake`. With a second argument `stay` it does not end when it is hung up on.
"""

import contextlib
import os
import socket
import ssl

from raw import argument, hang

host, _, port = os.environ["SCHMIER_REFEREE"].rpartition(":")
with socket.create_connection((host, int(port))) as connection:
    with contextlib.suppress(OSError):
        match argument(1, "http"):
            case "http":
                connection.sendall(b"GET /play HTTP/1.1\r\nHost: referee\r\n\r\n")
                connection.recv(4096)
            case "tls":
                context = ssl.create_default_context()
                context.wrap_socket(connection, server_hostname="localhost")
            case "text":
                connection.sendall(b"hello, referee\n")
                connection.recv(4096)
            case _:
                connection.recv(4096)
    if argument(2, "") == "stay":
        hang()
