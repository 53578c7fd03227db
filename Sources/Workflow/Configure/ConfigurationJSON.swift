import Reporting

/// The configuration in force for scripts: the file's path, null where there is none, and each key
/// with its value as TOML writes it, and whether the file or a default says so. Ends with a line
/// feed.
package func configurationJSON(
  path: String?, _ entries: [(key: String, value: String, isGiven: Bool)]
) -> String {
  jsonDocument { json in
    json.string("path", path)
    json.objects("values", of: entries) { json, entry in
      json.string("key", entry.key)
      json.string("value", entry.value)
      json.string("from", entry.isGiven ? "file" : "default")
    }
  }
}
