package import JSON

/// Settings that an adapter reads and the daemon does not.
package struct AdapterSettings: Sendable {
  package let members: JSONObject

  /// Reads a mapping; `nil` after reporting every error in it.
  ///
  /// - Parameter reserved: The keys that the daemon adds.
  static func read(_ reader: Reader, reserved: [String]) -> AdapterSettings? {
    guard let entries = reader.entries() else { return nil }
    for entry in entries where reserved.contains(entry.name) {
      reader.problems.error("\"\(entry.name)\" is no setting of the adapter: write it beside settings", at: entry.key)
    }
    guard case .object(let members)? = reader.value() else { return nil }
    return AdapterSettings(members: members)
  }

  /// Returns the texts that credentials and files gave.
  static func secrets(in reader: Reader) -> [String] {
    reader.scalars.filter(\.node.hasReferences).flatMap { SecretText($0, where: SecretText.isHidden)?.secrets ?? [] }
  }
}
