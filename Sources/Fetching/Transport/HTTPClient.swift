import Foundation
import FoundationNetworking
import Synchronization

/// What came back of one request: a status with headers and a body, or what went wrong on the way.
struct HTTPAnswer: Sendable {
  /// Why there is no whole answer.
  enum Fault: Error, Hashable, Sendable {
    /// The name is not known, or nobody listens there.
    case unreachable
    /// Nothing came for too long.
    case silent
    /// The connection ended before the answer did.
    case cut
    /// The encrypted connection could not be made or trusted.
    case insecure
    /// More bytes than the call allows; nil where the answer did not announce how many.
    case tooLarge(Int64?)
    /// Somebody wants to stop.
    case stopped
    /// What the system says of it, by its number.
    case other(Int)
  }

  var status = 0
  fileprivate(set) var headers: [String: String] = [:]
  /// What no sink took.
  fileprivate(set) var body: [UInt8] = []

  /// A header's value, whatever the case of its name.
  subscript(name: String) -> String? { headers[name.lowercased()] }
}

/// Takes the pieces of an answer's body as they come.
package typealias BodySink = @Sendable (UnsafeRawBufferPointer) throws -> Void

/// Asks over HTTP, one call at a time for each thread. Redirects are not followed: the request
/// carries a token that is for this host alone. Nothing is kept between calls but connections.
final class HTTPClient: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// What is known of a request under way; touched by the session's queue alone until `done`.
  private final class Exchange: @unchecked Sendable {
    var answer = HTTPAnswer()
    let limit: Int64
    let open: (@Sendable () throws -> BodySink)?
    var sink: BodySink?
    var received: Int64 = 0
    /// As announced, where the body is not packed for the way.
    var expected: Int64?
    var fault: HTTPAnswer.Fault?
    /// What the sink threw.
    var failure: (any Error)?
    let done = DispatchSemaphore(value: 0)

    /// A request before its answer begins.
    ///
    /// - Parameters:
    ///   - limit: bytes of the body at most.
    ///   - open: makes what takes the body of an answer of status 200; nil keeps the body.
    init(limit: Int64, open: (@Sendable () throws -> BodySink)?) {
      self.limit = limit
      self.open = open
    }
  }

  private let exchanges = Mutex<[Int: Exchange]>([:])
  private var session: URLSession!

  /// A client without cache and cookies.
  ///
  /// - Parameter silence: seconds without a byte after which an answer is given up.
  init(silence: Int) {
    super.init()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.timeoutIntervalForRequest = TimeInterval(silence)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
  }

  /// Lets go of the session, which holds on to its delegate until then.
  func close() { session.invalidateAndCancel() }

  /// Asks, and waits for the whole answer.
  ///
  /// - Parameters:
  ///   - limit: bytes of the body at most.
  ///   - open: makes what takes the body of an answer of status 200; other bodies come back.
  /// - Throws: `HTTPAnswer.Fault`, and what `open` and its sink throw.
  func answer(
    to request: URLRequest, limit: Int64, stop: StopSignal,
    open: (@Sendable () throws -> BodySink)?
  ) throws -> HTTPAnswer {
    if stop.isStopped { throw HTTPAnswer.Fault.stopped }
    let exchange = Exchange(limit: limit, open: open)
    let task = session.dataTask(with: request)
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
    task.resume()
    while exchange.done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if stop.isStopped { task.cancel() }
    }
    exchanges.withLock { $0[task.taskIdentifier] = nil }
    if let failure = exchange.failure { throw failure }
    if let fault = exchange.fault { throw stop.isStopped ? HTTPAnswer.Fault.stopped : fault }
    if let expected = exchange.expected, exchange.received != expected {
      throw HTTPAnswer.Fault.cut
    }
    return exchange.answer
  }

  /// What is known of the request that a task asks; nil once it is over.
  private func exchange(of task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  /// Refuses every redirect.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Notes status and headers when an answer begins, opens the sink of one of status 200, and gives
  /// it up where it announces more than the limit.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse else {
      return completionHandler(.cancel)
    }
    exchange.answer.status = response.statusCode
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      exchange.answer.headers[name.lowercased()] = value
    }
    let length = exchange.answer["Content-Length"].flatMap { Int64($0) }
    if exchange.answer["Content-Encoding"] == nil { exchange.expected = length }
    if let length, length > exchange.limit {
      exchange.fault = .tooLarge(length)
      return completionHandler(.cancel)
    }
    do {
      if response.statusCode == 200 { exchange.sink = try exchange.open?() }
      completionHandler(.allow)
    } catch {
      exchange.failure = error
      completionHandler(.cancel)
    }
  }

  /// Hands a piece of the body to the sink, or keeps it where there is none; gives up beyond the
  /// limit.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(of: dataTask), exchange.fault == nil, exchange.failure == nil
    else { return }
    exchange.received += Int64(data.count)
    guard exchange.received <= exchange.limit else {
      exchange.fault = .tooLarge(nil)
      return dataTask.cancel()
    }
    guard let sink = exchange.sink else { return exchange.answer.body.append(contentsOf: data) }
    do { try data.withUnsafeBytes { try sink($0) } } catch {
      exchange.failure = error
      dataTask.cancel()
    }
  }

  /// Notes what went wrong at a request's end, and wakes the thread that waits for it.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let exchange = exchange(of: task) else { return }
    if let error, exchange.fault == nil {
      let fault = HTTPAnswer.Fault(error)
      // Once an answer has begun, what the system has no name for is its end before its time.
      if case .other = fault, exchange.answer.status != 0 {
        exchange.fault = .cut
      } else {
        exchange.fault = fault
      }
    }
    exchange.done.signal()
  }
}

extension HTTPAnswer.Fault {
  /// The fault that an error of the system stands for.
  fileprivate init(_ error: any Error) {
    guard let code = (error as? URLError)?.code else {
      self = .other((error as NSError).code)
      return
    }
    switch code {
    case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet:
      self = .unreachable
    case .timedOut: self = .silent
    case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .zeroByteResource:
      self = .cut
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      self = .insecure
    case .cancelled: self = .stopped
    default: self = .other(code.rawValue)
    }
  }
}
