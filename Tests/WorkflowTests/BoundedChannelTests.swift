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
    while case .element(let number) = channel.receive(within: 60) { received.append(number) }
    #expect(received == Array(0..<1000))
    guard case .end = channel.receive(within: 60) else {
      Issue.record("no end after all")
      return
    }
  }

  @Test func `a sender whose receiver has left is stopped`() {
    let channel = BoundedChannel<Int>(capacity: 1)
    let sent = Mutex(0)
    Thread {
      while (try? channel.send(1)) != nil { sent.withLock { $0 += 1 } }
      channel.close()
    }.start()
    guard case .element(1) = channel.receive(within: 60) else {
      Issue.record("nothing came")
      return
    }
    channel.cancel()
    guard case .end = channel.receive(within: 60) else {
      Issue.record("no end after the sender has closed")
      return
    }
    #expect(sent.withLock { $0 } <= 3)
  }

  @Test func `a sender that says nothing is not waited for`() {
    let channel = BoundedChannel<Int>(capacity: 1)
    guard case .nothingYet = channel.receive(within: 0.01) else {
      Issue.record("something came from nobody")
      return
    }
    // Returns although nobody has closed.
    channel.cancel(waits: false)
    #expect(throws: BoundedChannel<Int>.Cancelled.self) { try channel.send(1) }
  }
}
