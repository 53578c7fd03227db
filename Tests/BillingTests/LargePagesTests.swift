import Billing
import Testing

/// Large pages change where a list lies and nothing of what it holds, of any size.
struct LargePagesTests {
  /// Around the four megabytes from which pages are large.
  static let counts = [0, 1, 1000, 524_287, 524_288, 524_289, 1_100_000]

  @Test(arguments: counts)
  func aListKeepsItsElements(_ count: Int) {
    var list: [Int64] = [-1, -2]
    list.reserveLarge(count)
    #expect(list == [-1, -2] && list.capacity >= count)
    for number in 0..<count { list.append(Int64(number)) }
    #expect(list.count == count + 2 && list.dropFirst(2).elementsEqual(0..<Int64(count)))
    #expect(list.largeCopy == list)
    #expect([Int64](large: 7, count: count) == Array(repeating: 7, count: count))
  }

  @Test
  func elementsOfAnyKindLiveAndDieOnce() {
    final class Witness {}
    weak var left: Witness?
    do {
      let witness = Witness()
      left = witness
      var list = [Witness](large: witness, count: 600_000)
      list.reserveLarge(700_000)
      let copy = list.largeCopy
      list = []
      #expect(copy.allSatisfy { $0 === witness })
    }
    #expect(left == nil)
  }

  @Test(arguments: [0, 1, 8, 4095, 4097])
  func memoryThatBeginsAnywhereKeepsItsBytes(_ start: Int) {
    let size = 6 << 20
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
    adviseLargePages(UnsafeRawBufferPointer(rebasing: memory[start...]))
    #expect(memory.allSatisfy { $0 == 0xA5 })
  }
}
