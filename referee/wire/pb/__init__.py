"""Generated from the .proto files by `proto/generate.py`; do not edit.

`POOL` holds the descriptors, apart from the pool the process shares: stubs that a bot author
generated himself, of any revision, live beside these.
"""

from google.protobuf.descriptor_pool import DescriptorPool

__all__ = ["POOL"]

POOL = DescriptorPool()
