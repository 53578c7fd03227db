internal import Foundation

/// Opens payloads and proves their signatures on threads of its own, while whoever reads the text
/// that they stand in is still before them.
///
/// It changes when the work is done, and by whom, never what comes of it: what is not ready, or
/// was refused, is opened by whoever asks.
package final class PayloadsAhead: Sendable {
  private let queue: PayloadQueue
  private let isIdle: Bool

  /// Prepares to open payloads with copies of a verifier; threads begin with the first payload.
  ///
  /// - Parameter threads: how many; nil for as many as the machine has room for beside the reader's
  ///   own.
  package init(_ verifier: PayloadVerifier, threads: Int? = nil) {
    let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount - 1
    isIdle = threads == 0
    queue = PayloadQueue(verifier, threads: threads)
  }

  deinit { queue.close() }

  /// Finds the payloads in a text that will be read soon, in JSON or in JSON inside of it, and
  /// hands them to the threads. Payloads of earlier texts but the previous one are forgotten.
  ///
  /// - Returns: whether there were any.
  package func expect(in text: UnsafeRawBufferPointer) -> Bool {
    if isIdle { return false }
    var found: [[UInt8]] = []
    Self.forEachPayload(in: text) { found.append([UInt8]($0)) }
    queue.accept(found)
    return !found.isEmpty
  }

  /// The payload as it was opened ahead; nil where that was not done.
  package func opened(_ jws: UnsafeRawBufferPointer) -> OpenedPayload? { queue.result(of: jws) }

  /// Calls `body` for each text between quotation marks that begins as a JWS does.
  fileprivate static func forEachPayload(
    in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let base = text.baseAddress else { return }
    /// The offset of the first quotation mark of `text` from `start` on; nil where none follows.
    func quotationMark(from start: Int) -> Int? {
      memchr(base + start, 0x22, text.count - start).map { UnsafeRawPointer($0) - base }
    }
    var start = 0
    while let mark = quotationMark(from: start) {
      start = mark + 1
      // An object of JSON in base64url.
      guard text.count - start > 3, text[start] == 0x65, text[start + 1] == 0x79,
        text[start + 2] == 0x4A
      else { continue }
      guard let end = quotationMark(from: start) else { return }
      // In JSON inside of JSON the quotation mark is escaped.
      let isEscaped = text[end - 1] == 0x5C
      body(UnsafeRawBufferPointer(rebasing: text[start..<(isEscaped ? end - 1 : end)]))
      start = end + 1
    }
  }
}

/// Where payloads lie until they are opened, and then until they are asked for.
private final class PayloadQueue: @unchecked Sendable {
  private enum State {
    case waiting, working
    case opened(OpenedPayload)
    case refused
  }

  private struct Entry {
    let jws: [UInt8]
    var state = State.waiting
    /// The text that it is of, counted from the first.
    let text: Int
  }

  /// What follows lies behind the condition's lock.
  private let condition = NSCondition()
  private var entries: [UInt64: Entry] = [:]
  private var queue: [UInt64] = []
  private var next = 0
  private var texts = 0
  private var isClosed = false
  /// The reader sleeps until a payload is opened.
  private var isAwaited = false
  private var idle: Int
  private let verifier: PayloadVerifier
  /// The reader's alone.
  private var readersVerifier: PayloadVerifier

  init(_ verifier: PayloadVerifier, threads: Int) {
    self.verifier = verifier
    readersVerifier = verifier
    idle = threads
  }

  /// Adds the payloads found in the next text to the queue, and forgets those of earlier texts but
  /// the previous one, unless a thread is opening them.
  func accept(_ found: [[UInt8]]) {
    condition.lock()
    defer { condition.unlock() }
    texts += 1
    entries = entries.filter { entry in
      if case .working = entry.value.state { return true }
      return entry.value.text + 1 >= texts
    }
    queue.removeFirst(next)
    next = 0
    for jws in found { add(jws, text: texts) }
    startThreads()
    condition.broadcast()
  }

  /// Adds a payload of the text with that number to the queue, unless it is there.
  ///
  /// - Precondition: the lock is held.
  private func add(_ jws: [UInt8], text: Int) {
    let key = jws.withUnsafeBytes(Self.key)
    guard entries[key] == nil else { return }
    entries[key] = Entry(jws: jws, text: text)
    queue.append(key)
  }

  /// Starts the threads that have not begun, once there is a payload for them.
  private func startThreads() {
    while idle > 0, !queue.isEmpty {
      idle -= 1
      let thread = Thread { [self] in run() }
      thread.stackSize = 1 << 20
      thread.start()
    }
  }

  /// Ends the threads.
  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }

  /// Takes a payload out as it was opened, and waits where a thread is opening it now; nil where
  /// none has begun, or it was refused.
  func result(of jws: UnsafeRawBufferPointer) -> OpenedPayload? {
    let key = Self.key(jws)
    condition.lock()
    defer { condition.unlock() }
    guard let entry = entries[key], entry.jws.count == jws.count,
      entry.jws.withUnsafeBytes({ memcmp($0.baseAddress!, jws.baseAddress!, jws.count) == 0 })
    else { return nil }
    while true {
      switch entries[key]?.state {
      case .working:
        // To open the next one costs less than to sleep and be woken.
        if openNext(&readersVerifier) { continue }
        isAwaited = true
        condition.wait()
        isAwaited = false
      case .opened(let opened):
        entries[key] = nil
        return opened
      // Nobody has begun: whoever asks is as fast.
      case .waiting, .refused, nil:
        entries[key] = nil
        return nil
      }
    }
  }

  /// Opens payloads, on a thread of its own, until the queue is closed.
  private func run() {
    var verifier = verifier
    condition.lock()
    while !isClosed {
      if !openNext(&verifier) { condition.wait() }
    }
    condition.unlock()
  }

  /// Opens the next payload of the queue that no thread has begun; false where there is none.
  ///
  /// - Precondition: the lock is held. It is not while the payload is opened.
  private func openNext(_ verifier: inout PayloadVerifier) -> Bool {
    while next < queue.count {
      let key = queue[next]
      next += 1
      guard let entry = entries[key], case .waiting = entry.state else { continue }
      entries[key]?.state = .working
      condition.unlock()
      let state = open(entry, &verifier)
      condition.lock()
      entries[key]?.state = state
      if isAwaited { condition.broadcast() }
      return true
    }
    return false
  }

  /// Decodes a payload and notes whether its signature is valid; `refused` where it is no JWS that
  /// can be decoded.
  private func open(_ entry: Entry, _ verifier: inout PayloadVerifier) -> State {
    entry.jws.withUnsafeBytes { jws in
      guard var opened = try? verifier.open(jws) else { return .refused }
      verifier.prove(&opened)
      return .opened(opened)
    }
  }

  /// A number to find a JWS by: of its length and of what it ends with, its signature, which no two
  /// share by chance.
  private static func key(_ jws: UnsafeRawBufferPointer) -> UInt64 {
    var key = UInt64(truncatingIfNeeded: jws.count)
    for byte in jws.suffix(22) { key = (key ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return key
  }
}
