import Glibc

/// Asks for large pages under memory of megabytes that will be filled: it then comes in pieces of
/// two megabytes instead of four kilobytes, and places far from each other are found with fewer
/// look-ups of the processor. A system without them leaves everything as it is.
///
/// Lists of a month's rows are first touched page by page and then read all over, which takes an
/// eighth of a reconciliation's time in small pages.
@usableFromInline package func adviseLargePages(_ memory: UnsafeRawBufferPointer) {
  guard memory.count >= LargePages.least, let start = memory.baseAddress else { return }
  let first = start.alignedUp(toMultipleOf: LargePages.pageSize)
  let end = (start + memory.count).alignedDown(toMultipleOf: LargePages.pageSize)
  // It is advice: whether it was taken changes no result.
  _ = madvise(UnsafeMutableRawPointer(mutating: first), end - first, MADV_HUGEPAGE)
}

private enum LargePages {
  /// What spans at least one large page wherever it begins.
  static let least = 4 << 20
  static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
}

extension Array {
  /// Reserves room for `count` elements, as `reserveCapacity` does, in large pages.
  @inlinable
  package mutating func reserveLarge(_ count: Int) {
    if !isEmpty, capacity < count {
      // Memory is asked for before anything is written into it.
      var larger: [Element] = []
      larger.reserveLarge(count)
      larger += self
      self = larger
      return
    }
    reserveCapacity(count)
    withUnsafeMutableBufferPointer {
      // Room beyond the elements is the list's, too.
      adviseLargePages(
        UnsafeRawBufferPointer(
          start: $0.baseAddress, count: count * MemoryLayout<Element>.stride))
    }
  }

  /// `count` times the same value, as `init(repeating:count:)` has it, in large pages.
  @inlinable
  package init(large value: Element, count: Int) {
    self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
      adviseLargePages(UnsafeRawBufferPointer(buffer))
      buffer.initialize(repeating: value)
      initialized = count
    }
  }

  /// The same list in memory of its own, in large pages.
  @inlinable
  package var largeCopy: [Element] {
    var copy: [Element] = []
    copy.reserveLarge(count)
    copy += self
    return copy
  }
}
