import JSON

/// One parameter of an operator or a source: its name, its type, what it means, and what it is when left out.
struct Parameter<Value: ParameterValue>: Sendable {
  /// How a parameter may be written.
  enum Form: Sendable {
    /// By its name, in braces.
    case named
    /// By its name, or alone in place of the braces.
    case plain
    /// Alone: the operator has no other.
    case only
    /// By its name, beside the source's key.
    case beside
    /// By its name, in braces or beside the source's key.
    case free
  }

  let name: String
  let meaning: String
  let form: Form
  let initial: Value?
  /// The smallest number allowed.
  let minimum: Int
  let maximum: Int
  /// The variables that an expression may use besides `.`, `$signal` and `now`.
  let variables: [String]

  /// Without `initial` the parameter must be given.
  init(
    _ name: String, _ meaning: String, _ form: Form = .named, initial: Value? = nil, minimum: Int = 0,
    maximum: Int = 100_000, variables: [String] = []
  ) {
    self.name = name
    self.meaning = meaning
    self.form = form
    self.initial = initial
    self.minimum = minimum
    self.maximum = maximum
    self.variables = variables
  }

  var description: ParameterDescription {
    ParameterDescription(
      name: name, type: Value.typeName, shape: Value.shape, meaning: meaning, form: form.text,
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
  package let type: String
  package let shape: ParameterShape
  package let meaning: String
  package let form: String
  package let isRequired: Bool
  /// The default as a file would write it; `nil` where leaving the parameter out means none.
  package let initial: String?
  /// Between which numbers it may be, for numbers.
  package let bounds: ClosedRange<Int>?

  /// Whether it may stand behind the source's or operator's key.
  package var isInside: Bool { form != "beside" }
  /// Whether it may stand beside the source's key.
  package var isBeside: Bool { form == "beside" || form == "free" }
}
