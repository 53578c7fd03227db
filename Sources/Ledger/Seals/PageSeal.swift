/// What the last bytes of a page say of the others: the ledger that it belongs to, and a hash of
/// what it holds, of its number and of the ledger. A bit that turned, a page that was cleared, that
/// lies in another's place or comes from another ledger, and what another program wrote into the
/// file do not fit their seal any more.
///
/// SQLite leaves as many bytes free at the end of each page as its header says. The hash is XXH64
/// (github.com/Cyan4973/xxHash, specification 0.1.1): against accidents, not against somebody who
/// computes it anew.
enum PageSeal {
  /// Bytes of a page.
  static let pageSize = 4096
  /// Bytes that SQLite leaves free in each page: the ledger's number, then the hash.
  static let size = 16

  /// Whether the first page says that the pages of its file have seals.
  ///
  /// - Parameter page: at least the file's header, 100 bytes.
  static func isPromised(by page: UnsafeRawPointer) -> Bool {
    let id = page.loadUnaligned(fromByteOffset: 68, as: Int32.self).bigEndian
    return id == Schema.sealedID || page.load(fromByteOffset: 20, as: UInt8.self) == size
  }

  /// The number of the ledger that the page says it belongs to.
  static func ledger(of page: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: page.loadUnaligned(fromByteOffset: pageSize - size, as: UInt64.self))
  }

  /// - Parameter number: the page's place in the file, from 1.
  static func set(on page: UnsafeMutableRawPointer, number: UInt64, ledger: UInt64) {
    page.storeBytes(of: ledger.littleEndian, toByteOffset: pageSize - size, as: UInt64.self)
    page.storeBytes(
      of: hash(page, number).littleEndian, toByteOffset: pageSize - 8, as: UInt64.self)
  }

  static func holds(on page: UnsafeRawPointer, number: UInt64, ledger: UInt64) -> Bool {
    let hash = page.loadUnaligned(fromByteOffset: pageSize - 8, as: UInt64.self)
    return ledger == self.ledger(of: page) && UInt64(littleEndian: hash) == self.hash(page, number)
  }

  /// Of everything in the page before the hash itself.
  private static func hash(_ page: UnsafeRawPointer, _ number: UInt64) -> UInt64 {
    xxHash64(UnsafeRawBufferPointer(start: page, count: pageSize - 8), seed: number)
  }
}

private let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
private let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
private let prime3: UInt64 = 0x1656_67B1_9E37_79F9
private let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
private let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

/// XXH64 of bytes whose count is a multiple of 8.
func xxHash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
  precondition(bytes.count % 8 == 0, "hashed are whole words")
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
    hash = turned(a, 1) &+ turned(b, 7) &+ turned(c, 12) &+ turned(d, 18)
    for lane in [a, b, c, d] { hash = (hash ^ mixed(0, lane)) &* prime1 &+ prime4 }
  } else {
    hash = seed &+ prime5
  }
  hash = hash &+ UInt64(bytes.count)
  while place < count {
    hash = turned(hash ^ mixed(0, word(bytes, place)), 27) &* prime1 &+ prime4
    place += 1
  }
  hash = (hash ^ (hash &>> 33)) &* prime2
  hash = (hash ^ (hash &>> 29)) &* prime3
  return hash ^ (hash &>> 32)
}

@inline(__always)
private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
  UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place &* 8, as: UInt64.self))
}

@inline(__always)
private func turned(_ value: UInt64, _ bits: UInt64) -> UInt64 {
  (value &<< bits) | (value &>> (64 &- bits))
}

@inline(__always)
private func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
  turned(lane &+ word &* prime2, 31) &* prime1
}
