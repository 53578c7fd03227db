import Foundation
import Synchronization
import Testing

@testable import Workflow

@Suite struct BoundedChannelTests {
  @Test func `passes everything on in order`() {
    let channel = BoundedChannel<Int>(capacity: 3)
    Thread {
      for number in 0..<1000 { try? channel.send(number) }
      channel.close()
    }.start()
    var received: [Int] = []
    while let number = channel.receive() { received.append(number) }
    #expect(received == Array(0..<1000))
    #expect(channel.receive() == nil)
  }

  @Test func `a sender whose receiver has left is stopped`() {
    let channel = BoundedChannel<Int>(capacity: 1)
    let sent = Mutex(0)
    Thread {
      while (try? channel.send(1)) != nil { sent.withLock { $0 += 1 } }
      channel.close()
    }.start()
    #expect(channel.receive() == 1)
    channel.cancel()
    #expect(channel.receive() == nil)
    #expect(sent.withLock { $0 } <= 3)
  }
}
