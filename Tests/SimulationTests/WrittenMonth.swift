import Billing
import Foundation
import Simulation
import Support

/// A simulated month on disk, read back with nothing but Foundation.
struct WrittenMonth {
  private let folder: TemporaryFolder
  let truth: Truth

  init(_ parameters: SimulationParameters) throws {
    folder = try TemporaryFolder()
    truth = try SimulatedMonth(parameters).write(to: folder.path)
  }

  var path: String { folder.path }
  var names: [String] { folder.names }

  func bytes(_ name: String) throws -> Data { try folder.bytes(name) }

  /// The JSON objects of all files of a kind, one per line.
  func objects(_ prefix: String) throws -> [[String: Any]] {
    var objects: [[String: Any]] = []
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(".jsonl") {
      for line in try bytes(name).split(separator: 0x0A) {
        objects.append(try object(line))
      }
    }
    return objects
  }

  /// The answers of all history files.
  var answers: [[String: Any]] {
    get throws {
      var answers: [[String: Any]] = []
      for name in names where name.hasPrefix("history") {
        let all = try JSONSerialization.jsonObject(with: try bytes(name))
        guard let all = all as? [[String: Any]] else { throw NotWellFormed(what: name) }
        answers += all
      }
      return answers
    }
  }

  /// The company's transactions by id; the second export is left out.
  var rows: [String: [String: String]] {
    get throws {
      var rows: [String: [String: String]] = [:]
      for name in names
      where name.hasPrefix("transactions") && !name.contains("second-export") {
        let lines = String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n")
        let header = lines[0].split(separator: ",").map(String.init)
        for line in lines.dropFirst() {
          let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
          let row = Dictionary(uniqueKeysWithValues: zip(header, fields))
          rows[row["transaction_id"] ?? ""] = row
        }
      }
      return rows
    }
  }

  /// All JWS of version 2 notifications and of answers, those inside others too.
  var signed: [String] {
    get throws {
      var all: [String] = []
      for body in try notificationsV2 {
        let payload = try SignedText(body)
        all.append(body)
        let data = try payload.object["data"] as? [String: Any] ?? [:]
        for key in ["signedTransactionInfo", "signedRenewalInfo"] {
          if let inner = data[key] as? String { all.append(inner) }
        }
      }
      return all + (try answers.flatMap { $0["signedTransactions"] as? [String] ?? [] })
    }
  }

  /// Signed payloads of version 2 notifications.
  var notificationsV2: [String] {
    get throws {
      try objects("notifications-v2").map { line in
        let body = line["body"] as? [String: Any] ?? line
        guard let payload = body["signedPayload"] as? String else {
          throw NotWellFormed(what: "a notification without a payload")
        }
        return payload
      }
    }
  }
}

struct NotWellFormed: Error { let what: String }

func object(_ bytes: some DataProtocol) throws -> [String: Any] {
  let value = try JSONSerialization.jsonObject(with: Data(bytes))
  guard let object = value as? [String: Any] else { throw NotWellFormed(what: "no object") }
  return object
}

/// A compact JWS in its parts.
struct SignedText {
  let header: [String: Any]
  let payload: Data
  let signature: Data
  /// What is signed.
  let message: Data

  init(_ text: String) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let head = Self.decoded(parts[0]), let body = Self.decoded(parts[1]),
      let signature = Self.decoded(parts[2])
    else { throw NotWellFormed(what: "no compact JWS") }
    header = try SimulationTests.object(head)
    payload = body
    self.signature = signature
    message = Data((parts[0] + "." + parts[1]).utf8)
  }

  var object: [String: Any] { get throws { try SimulationTests.object(payload) } }

  private static func decoded(_ text: String) -> Data? {
    guard !text.contains("="), !text.contains("+"), !text.contains("/") else { return nil }
    let standard = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    return Data(
      base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
  }
}
