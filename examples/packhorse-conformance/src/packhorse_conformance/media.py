"""The smallest picture and the smallest sound, made rather than pasted."""

import io
import struct
import wave
import zlib


def _chunk(kind: bytes, data: bytes) -> bytes:
    """One PNG chunk: length, type, data, CRC of type and data (PNG third edition, section 5.3)."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def red_dot() -> bytes:
    """A PNG of one red pixel."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)  # 1 by 1, 8 bits per sample, RGB
    row = b"\x00\xff\x00\x00"  # no filter, then red, green, blue
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(row)) + _chunk(b"IEND", b"")


def silence() -> bytes:
    """A WAV of ten milliseconds of silence: mono, 16 bits, 8 kHz."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(2 * 80))
    return file.getvalue()
