/// A text of the file whose references may be secrets: what they gave is never shown.
struct SecretText {
  let text: String
  /// The values of its references.
  let parts: [String]
  /// Those, and the whole text where there are any.
  var secrets: [String] { parts.isEmpty ? [] : [text] + parts }

  /// Reads a text; every `${…}` in it is a secret.
  ///
  /// - Parameter isSecret: Tells whether a reference, as it stands between the braces, is one.
  init?(_ reader: Reader, where isSecret: (String) -> Bool = { _ in true }) {
    guard let text = reader.text() else { return nil }
    self.text = text
    guard let written = reader.node.scalar?.text, let pieces = try? PlaceholderText(written).pieces else {
      parts = []
      return
    }
    let values = pieces.compactMap { piece -> String? in
      guard case .reference(let reference) = piece, isSecret(reference) else { return nil }
      return try? reader.context.replacements.expand("${\(reference)}")
    }
    parts = values.filter { !$0.isEmpty }
  }

  /// True for a reference to a credential or a file.
  static func isHidden(_ reference: String) -> Bool { reference.hasPrefix("cred:") || reference.hasPrefix("file:") }
}
