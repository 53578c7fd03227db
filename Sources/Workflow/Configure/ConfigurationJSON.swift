import Reporting

/// The configuration in force for scripts: the file's path, null where there is none, and each key
/// with its value as TOML writes it, and whether the file or a default says so. Ends with a line
/// feed.
package func configurationJSON(
  path: String?, _ entries: [(key: String, value: String, isGiven: Bool)]
) -> String {
  var json = JSONWriter()
  json.object { json in
    json.key("path")
    if let path { json.string(path) } else { json.null() }
    json.key("values")
    json.array(of: entries) { json, entry in
      json.object { json in
        json.string("key", entry.key)
        json.string("value", entry.value)
        json.string("from", entry.isGiven ? "file" : "default")
      }
    }
  }
  return json.text() + "\n"
}
