"""Calls another method than the referee's: [METHOD=/schmier.v1.RefereeService/Connect].

A failed start: `handshake`. gRPC answers it UNIMPLEMENTED, which it prints.
"""

from __future__ import annotations

import os
import sys

from raw import argument

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

options = [("grpc.enable_http_proxy", 0)]
with grpc.insecure_channel(os.environ["SCHMIER_REFEREE"], options=options) as channel:
    method = argument(1, "/schmier.v1.RefereeService/Connect")
    call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
    try:
        call(b"")
    except grpc.RpcError as error:
        print("the call failed:", error.code().name, file=sys.stderr)
        sys.exit(1)
