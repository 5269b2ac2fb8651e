import JSON

/// One parameter of an operator or a source: its name, type, meaning and default.
package struct Parameter<Value: ParameterValue>: Sendable {
  /// The ways to write a parameter.
  package enum Form: Sendable {
    /// By its name, in braces.
    case named
    /// By its name, or alone in place of the braces.
    case plain
    /// Alone: the operator has no other parameter.
    case only
    /// By its name, beside the source's key.
    case beside
    /// By its name, in braces or beside the source's key.
    case free
  }

  let name: String
  /// The deprecated name, which is accepted with a warning.
  let formerName: String?
  let meaning: String
  let form: Form
  let initial: Value?
  /// The smallest number allowed.
  let minimum: Int
  let maximum: Int
  /// The shortest duration allowed.
  let shortest: Duration
  /// The variables available to an expression besides `.`, `$signal` and `now`.
  let variables: [String]

  /// Creates a parameter; without `initial` it is required.
  ///
  /// - Parameter formerName: The deprecated name, which is accepted with a warning.
  package init(
    _ name: String, _ meaning: String, _ form: Form = .named, initial: Value? = nil, minimum: Int = 0,
    maximum: Int = 100_000, shortest: Duration = .zero, variables: [String] = [], formerly formerName: String? = nil
  ) {
    self.name = name
    self.formerName = formerName
    self.meaning = meaning
    self.form = form
    self.initial = initial
    self.minimum = minimum
    self.maximum = maximum
    self.shortest = shortest
    self.variables = variables
  }

  var description: ParameterDescription {
    ParameterDescription(
      name: name, formerName: formerName, type: Value.typeName, shape: Value.shape, meaning: meaning, form: form.text,
      isRequired: initial == nil,
      initial: initial?.defaultText, bounds: Value.isBounded ? minimum...maximum : nil)
  }
}

extension Parameter.Form {
  fileprivate var text: String {
    switch self {
    case .named: "named"
    case .plain: "plain"
    case .only: "only"
    case .beside: "beside"
    case .free: "free"
    }
  }
}

/// A parameter as the reference, the schema and the error messages show it.
package struct ParameterDescription: Equatable, Sendable {
  package let name: String
  /// The deprecated name, which files may still contain.
  let formerName: String?
  package let type: String
  package let shape: ParameterShape
  package let meaning: String
  package let form: String
  package let isRequired: Bool
  /// The default as a file would write it; `nil` if omitting the parameter means no value.
  package let initial: String?
  /// The range of a number.
  package let bounds: ClosedRange<Int>?

  /// The names that a file may contain, the current one first.
  package var names: [String] { [name] + (formerName.map { [$0] } ?? []) }

  /// True if it may be written in the value of the source's or operator's key.
  package var isInside: Bool { form != "beside" }
  /// True if it may be written beside the source's key.
  package var isBeside: Bool { form == "beside" || form == "free" }
}
