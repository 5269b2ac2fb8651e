import JSON

extension ConfigNode {
  /// A description of a node for messages: `the string "x"`, `a mapping`.
  ///
  /// Shows the text of the file, never the value of a `${…}`, which may be a secret.
  var summary: String {
    switch content {
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .scalar(let scalar): scalar.summary
    }
  }
}

extension Scalar {
  fileprivate var summary: String {
    let shown = text.unicodeScalars.count > 40 ? String(text.unicodeScalars.prefix(40)) + "…" : text
    switch CoreSchema.resolve(text, as: self) {
    case .success(.null): return text.isEmpty ? "nothing" : "null"
    case .success(.bool): return "the boolean \(text)"
    case .success(.number), .success(.verbatim): return "the number \(shown)"
    default: return "\"\(shown)\""
    }
  }
}
