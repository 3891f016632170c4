"""Encodings of values in logs: protobuf messages, images, sounds, tensors.

One module per encoding, as functions of bytes; values are decoded on demand. `formats` know which
log uses which encoding.
"""
