import ArgumentParser

/// The faults that `words` name, and how often each is made.
///
/// - Throws: `ValidationError` where one is unknown or its count no number.
func chosen<Fault: Hashable>(
  _ words: String, _ option: String, every: (Int) -> [Fault: Int], named: (String) -> Fault?
) throws -> [Fault: Int] {
  var chosen: [Fault: Int] = [:]
  for word in words.split(separator: ",") {
    let parts = word.split(separator: ":")
    guard let count = parts.count == 2 ? Int(parts[1]) : 1, count >= 0, parts.count <= 2 else {
      throw ValidationError("\(option): \(word) has no count after its colon")
    }
    switch parts[0] {
    case "none": break
    case "all": chosen.merge(every(count)) { $1 }
    default:
      guard let fault = named(String(parts[0])) else {
        throw ValidationError("\(option): \(parts[0]) is not a fault")
      }
      chosen[fault] = count
    }
  }
  return chosen
}
