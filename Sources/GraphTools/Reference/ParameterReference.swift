import GraphModel

// The parameters of an operator or a source as the reference shows them.

extension [ParameterDescription] {
  /// Returns the forms of a word with these parameters.
  ///
  /// - Parameter alone: The word without any, where that is allowed.
  func forms(of name: String, alone: String?) -> [String] {
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

extension ParameterDescription {
  /// The name, or the placeholder of a parameter that has no name in the file.
  var shownName: String { form == "only" ? name.uppercased() : name }

  var shownType: String {
    guard let bounds else { return type }
    if bounds.upperBound == .max { return "\(type), \(bounds.lowerBound) or more" }
    return "\(type), \(bounds.lowerBound) to \(bounds.upperBound)"
  }

  var shownDefault: String {
    if isRequired { return "required" }
    return initial.map { "`\($0)`" } ?? "none"
  }
}
