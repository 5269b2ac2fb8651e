// How the parameters of an operator or a source are shown in the reference.

extension [ParameterDescription] {
  /// The ways to write a word with these parameters.
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

extension OperatorDeclaration {
  /// Whether it may be used without parameters, as its own reading of them says.
  var standsAlone: Bool {
    let file = SourceFile(name: "", text: name)
    let word = ConfigNode(place: file.start, content: .scalar(Scalar(name, style: .plain)))
    let context = ReadingContext(problems: Problems(), inputs: .system)
    return prepare(nil, word, DeclarationReader(context, graph: "", declared: DeclaredNames([]))) != nil
  }
}

extension ParameterDescription {
  /// A parameter without a name in the file is shown by its placeholder.
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
