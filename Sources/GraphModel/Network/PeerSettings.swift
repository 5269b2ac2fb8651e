import JSON

/// The settings of a connection, as its kind reads them.
struct PeerSettings {
  /// The kind that an adapter serves, where the settings name it.
  var kind: PeerKind?
  /// The settings for the adapter: `${…}` replaced, defaults filled in, durations in seconds, sizes in bytes.
  var values: JSONObject
  /// The beginning of the paths of all requests.
  var base = ""
  /// The texts that credentials and files gave, which are never shown.
  var secrets: [String] = []
  /// The address as it may be shown.
  var address = ""

  /// Sets the address as it may be shown: nothing of it if it contains `${…}`.
  mutating func show(_ addresses: [Reader]) {
    address = addresses.map { $0.node.hasReferences ? "…" : $0.node.scalar?.text ?? "" }.joined(separator: ", ")
  }

  /// Sets a text whose references are secrets, if it is given.
  mutating func set(_ key: String, secret reader: Reader?) {
    guard let reader, let text = SecretText(reader) else { return }
    if text.text.utf8.contains(0) { return reader.problems.error("\(key) has no zero byte", at: reader) }
    values[key] = .string(text.text)
    secrets += text.secrets
  }

  /// Sets a text, if it is given.
  mutating func set(_ key: String, text reader: Reader?) {
    guard let reader, let text = reader.text() else { return }
    if text.utf8.contains(0) { return reader.problems.error("\(key) has no zero byte", at: reader) }
    values[key] = .string(text)
  }
}
