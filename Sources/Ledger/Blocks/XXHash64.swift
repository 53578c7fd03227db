private let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
private let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
private let prime3: UInt64 = 0x1656_67B1_9E37_79F9
private let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
private let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

/// The XXH64 hash of the bytes, by which what is read from the ledger is held against what was
/// written: not for defence against chosen bytes.
func xxHash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
  let count = bytes.count / 8
  var hash: UInt64
  var place = 0
  if count >= 4 {
    var a = seed &+ prime1 &+ prime2
    var b = seed &+ prime2
    var c = seed
    var d = seed &- prime1
    while place + 4 <= count {
      a = mixed(a, word(bytes, place))
      b = mixed(b, word(bytes, place + 1))
      c = mixed(c, word(bytes, place + 2))
      d = mixed(d, word(bytes, place + 3))
      place += 4
    }
    hash = rotatedLeft(a, 1) &+ rotatedLeft(b, 7) &+ rotatedLeft(c, 12) &+ rotatedLeft(d, 18)
    for lane in [a, b, c, d] { hash = (hash ^ mixed(0, lane)) &* prime1 &+ prime4 }
  } else {
    hash = seed &+ prime5
  }
  hash = hash &+ UInt64(bytes.count)
  while place < count {
    hash = rotatedLeft(hash ^ mixed(0, word(bytes, place)), 27) &* prime1 &+ prime4
    place += 1
  }
  var next = place * 8
  if next + 4 <= bytes.count {
    let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt32.self))
    hash = rotatedLeft(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
    next += 4
  }
  while next < bytes.count {
    hash = rotatedLeft(hash ^ UInt64(bytes[next]) &* prime5, 11) &* prime1
    next += 1
  }
  hash = (hash ^ (hash &>> 33)) &* prime2
  hash = (hash ^ (hash &>> 29)) &* prime3
  return hash ^ (hash &>> 32)
}

/// The 64-bit word at an index.
@inline(__always)
private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
  UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place &* 8, as: UInt64.self))
}

/// The bits moved to the left, those that fall out put in again at the right.
@inline(__always)
private func rotatedLeft(_ value: UInt64, _ bits: UInt64) -> UInt64 {
  (value &<< bits) | (value &>> (64 &- bits))
}

/// The state of a lane after one more word.
@inline(__always)
private func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
  rotatedLeft(lane &+ word &* prime2, 31) &* prime1
}
