"""Compressed chunks of files that others wrote: with the packages that unpack them, if there."""

from typing import Any

from hapsis.errors import DeviceError
from hapsis.touch.recording.mcap_records import Damaged

PACKAGES = {"zstd": "zstandard", "lz4": "lz4"}


def unpacked(compression: str, data: bytes, size: int, file: str) -> bytes:
    """At most `size` bytes of a chunk; no more are ever made."""
    if not compression:
        return data
    if compression not in PACKAGES:
        raise Damaged(f'it is compressed by "{compression[:60]}"')
    try:
        return (_zstd if compression == "zstd" else _lz4)(data, size)
    except ImportError:
        package = PACKAGES[compression]
        raise DeviceError(
            f"its chunks are compressed by {compression}", where=file, remedy=f"pip install {package}"
        ) from None
    except (RuntimeError, ValueError, MemoryError, EOFError) as problem:
        raise Damaged(f"it cannot be unpacked: {str(problem)[:80]}") from None


def _zstd(data: bytes, size: int) -> bytes:
    import zstandard  # pyright: ignore[reportMissingImports]

    try:
        reader: Any = zstandard.ZstdDecompressor().stream_reader(data)
        return reader.read(size + 1)
    except zstandard.ZstdError as problem:
        raise ValueError(str(problem)) from None


def _lz4(data: bytes, size: int) -> bytes:
    import lz4.frame  # pyright: ignore[reportMissingImports]

    return lz4.frame.LZ4FrameDecompressor().decompress(data, max_length=size + 1)
