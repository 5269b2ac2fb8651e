// The parameters of an operator or a source as the reference shows them.

extension [ParameterDescription] {
  /// Returns the forms of a word with these parameters.
  ///
  /// - Parameter alone: The word without any, where that is allowed.
  package func forms(of name: String, alone: String?) -> [String] {
    let inside = filter(\.isInside)
    let beside = filter { !$0.isInside }.map { "\($0.name): \($0.shownName.uppercased())" }
    var forms = alone.map { [$0] } ?? []
    if let only = inside.first(where: { $0.form == "only" }) { return forms + ["\(name): \(only.shownName)"] + beside }
    if let plain = inside.first(where: { $0.form == "plain" }) {
      let isEnough = inside.allSatisfy { !$0.isRequired || $0 == plain }
      if isEnough { forms.append("\(name): \(plain.name.uppercased())") }
    }
    if !inside.isEmpty {
      forms.append("\(name): {\(inside.map { "\($0.name): \($0.name.uppercased())" }.joined(separator: ", "))}")
    }
    return forms + beside
  }
}

extension OperatorDeclaration {
  /// True if it can be used without parameters, according to its own reader.
  package var standsAlone: Bool { prepare(nil, .alone(name), .ofNothing()) != nil }
}

extension SourceDeclaration {
  /// True if it can be used without parameters, according to its own reader.
  package var standsAlone: Bool { prepare(.alone(""), .alone(name), { _ in nil }, .ofNothing()) != nil }
}

extension ConfigNode {
  /// Returns a node for a word in a file of its own.
  fileprivate static func alone(_ word: String) -> ConfigNode {
    ConfigNode(place: SourceFile(name: "", text: word).start, content: .scalar(Scalar(word, style: .plain)))
  }
}

extension DeclarationReader {
  /// Returns a reader that knows no declarations and discards its diagnostics.
  fileprivate static func ofNothing() -> DeclarationReader {
    DeclarationReader(
      ReadingContext(problems: Problems(), inputs: .system), graph: "", declared: DeclaredNames([]),
      bodies: NoBodies())
  }
}

/// Reads nothing: a word by itself has no declarations inside.
private struct NoBodies: BodyReading {
  func body(_ node: ConfigNode, _ reader: DeclarationReader) -> SignalBody? { nil }
  func pipe(_ node: ConfigNode, _ reader: DeclarationReader) -> [any PreparedOperator]? { nil }
}

extension ParameterDescription {
  /// The name, or the placeholder of a parameter that has no name in the file.
  package var shownName: String { form == "only" ? name.uppercased() : name }

  package var shownType: String {
    guard let bounds else { return type }
    if bounds.upperBound == .max { return "\(type), \(bounds.lowerBound) or more" }
    return "\(type), \(bounds.lowerBound) to \(bounds.upperBound)"
  }

  package var shownDefault: String {
    if isRequired { return "required" }
    return initial.map { "`\($0)`" } ?? "none"
  }
}
