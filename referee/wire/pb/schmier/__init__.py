"""Generated from the .proto files by `proto/generate.py`; do not edit."""
