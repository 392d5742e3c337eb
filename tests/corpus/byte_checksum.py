def checksum(data: bytes) -> int:
    state = 0
    for b in data:
        if b > 200:
            state ^= 0x55
            state &= 0xFF
        else:
            state = (state + b) % 256
    return state
