/// A short name for each path: its file's name, with as many of the folders above it as tell it
/// from the others.
func shortNames(of paths: Set<String>) -> [String: String] {
  let parts = paths.map { (path: $0, parts: $0.split(separator: "/")) }
  var names: [String: String] = [:]
  var rest = parts
  var length = 1
  while !rest.isEmpty {
    let groups = Dictionary(grouping: rest) { $0.parts.suffix(length).joined(separator: "/") }
    rest = []
    for (name, group) in groups {
      if group.count == 1 {
        names[group[0].path] = name
      } else {
        // A path that has no further folder is itself; the others may still differ above.
        for entry in group where entry.parts.count <= length { names[entry.path] = entry.path }
        rest += group.filter { $0.parts.count > length }
      }
    }
    length += 1
  }
  return names
}
