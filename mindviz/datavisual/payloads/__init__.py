"""What values of logs are encoded as: protobuf messages of the formats, images, sounds, tensors.

Each module knows one encoding, wherever it came from; which of them a log uses is what `formats`
know. All are functions of bytes, and nothing is decoded before somebody asks for it.
"""
