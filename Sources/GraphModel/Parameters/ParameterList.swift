import Base

/// The parameters of one declaration, read together.
package struct ParameterList<each Value: ParameterValue>: Sendable {
  private let parameters: (repeat Parameter<each Value>)
  package let descriptions: [ParameterDescription]

  package init(_ parameters: repeat Parameter<each Value>) {
    self.parameters = (repeat each parameters)
    var descriptions: [ParameterDescription] = []
    for parameter in repeat each parameters { descriptions.append(parameter.description) }
    self.descriptions = descriptions
  }

  /// Returns the signals that the values of parameters name, in the order of the parameters.
  package static func references(of values: (repeat each Value)) -> [SignalReference] {
    var references: [SignalReference] = []
    for value in repeat each values { references += value.references }
    return references
  }

  /// Reads the values given in one place; `nil` after reporting every problem with them.
  ///
  /// - Parameters:
  ///   - argument: The value of the key, if any.
  ///   - owner: The operator or source, for messages.
  ///   - use: The node of its name.
  ///   - beside: Finds a key beside the source's own.
  package func read(
    _ argument: ConfigNode?, of owner: String, at use: ConfigNode, _ reader: DeclarationReader,
    beside: (String) -> ConfigNode.Entry? = { _ in nil }
  ) -> (repeat each Value)? {
    let given = GivenParameters(argument, of: owner, at: use, among: descriptions, reader, beside: beside)
    let optionals = (repeat given.value(of: each parameters))
    var isWhole = given.isClear
    for optional in repeat each optionals {
      if optional == nil { isWhole = false }
    }
    guard isWhole else { return nil }
    return (repeat (each optionals).unsafelyUnwrapped)
  }
}

/// The parameters that a file gives to one use of an operator or a source, by name.
private struct GivenParameters {
  /// By the current name of the parameter.
  private var nodes: [String: ConfigNode] = [:]
  /// False if it is not clear which parameters are meant.
  private(set) var isClear = true
  /// False if the parameters have no names, so that none is known to be missing.
  private var areNamed = true
  private let owner: String
  private let use: ConfigNode
  private let reader: DeclarationReader

  init(
    _ argument: ConfigNode?, of owner: String, at use: ConfigNode, among parameters: [ParameterDescription],
    _ reader: DeclarationReader, beside: (String) -> ConfigNode.Entry?
  ) {
    self.owner = owner
    self.use = use
    self.reader = reader
    let inside = parameters.filter(\.isInside)
    let siblings = parameters.filter(\.isBeside)
    take(siblings.flatMap { $0.names.compactMap(beside) }, among: siblings)
    if let argument { take(argument, among: inside) }
  }

  private mutating func take(_ argument: ConfigNode, among parameters: [ParameterDescription]) {
    if parameters.isEmpty {
      isClear = false
      reader.problems.error("\(owner) takes no parameters", at: argument)
    } else if let only = parameters.first(where: { $0.form == "only" }) {
      nodes[only.name] = argument
    } else if case .mapping(let entries) = argument.content {
      let named = reader.problems.entries(
        entries, named: parameters.map(\.name), formerly: parameters.compactMap(\.formerName),
        besides: Array(nodes.keys), as: "parameter of \(owner)")
      take(named, among: parameters)
    } else if let plain = parameters.first(where: { $0.form == "plain" }) {
      nodes[plain.name] = argument
    } else {
      isClear = false
      areNamed = false
      let names = parameters.map(\.name).joined(separator: ", ")
      reader.problems.error(
        "\(owner) takes its parameters by name, in braces: \(names)", at: argument,
        suggestion: argument.plainText.flatMap { text in
          ParameterDescription.only(for: text, among: parameters).map { "{\($0.name): \(text)}" }
        })
    }
  }

  private mutating func take(_ entries: [ConfigNode.Entry], among parameters: [ParameterDescription]) {
    for entry in entries {
      let key = entry.name
      guard let parameter = parameters.first(where: { $0.names.contains(key) }) else {
        isClear = false
        continue
      }
      if key != parameter.name { reader.problems.deprecated(entry.key, nowCalled: parameter.name) }
      if let other = nodes[parameter.name] {
        isClear = false
        reader.problems.error(
          "duplicate \"\(key)\"", at: entry.key, related: .init("also given here", at: other.place))
      }
      nodes[parameter.name] = entry.value
    }
  }

  func value<Value: ParameterValue>(of parameter: Parameter<Value>) -> Value? {
    guard let node = nodes[parameter.name] else {
      if let initial = parameter.initial { return initial }
      if !areNamed { return nil }
      reader.problems.error(
        "\(owner) needs \(parameter.form == .only ? "" : "\"\(parameter.name)\", ")\(parameter.expectation)", at: use)
      return nil
    }
    let reading = ParameterReading(
      reader: reader, name: "\(parameter.name) of \(owner)", minimum: parameter.minimum, maximum: parameter.maximum,
      shortest: parameter.shortest, variables: parameter.variables)
    if !Value.shape.isExplainedByItself { return Value.read(node, reading) }
    return reader.problems.withExample(nil) { Value.read(node, reading) }
  }
}

extension Parameter {
  /// The type of its value and the meaning, once where one of them says the other.
  fileprivate var expectation: String {
    let (type, meaning) = (Value.typeName.words, meaning.words)
    if meaning.starts(with: type) { return self.meaning }
    return type.starts(with: meaning) ? Value.typeName : "\(Value.typeName): \(self.meaning)"
  }
}

extension String {
  /// The words without articles.
  fileprivate var words: [Substring] {
    split { !$0.isLetter && !$0.isNumber }.filter { !["a", "an", "the"].contains($0) }
  }
}

extension ConfigNode {
  /// The text of a scalar that can be written in braces without quotes.
  fileprivate var plainText: String? {
    guard let text = scalar?.text, !text.contains(where: ",[]{}#".contains), !text.contains(": ") else { return nil }
    return text
  }
}

extension ParameterDescription {
  /// Returns the parameter that a text given without a name is probably meant for; `nil` if it would not do alone.
  fileprivate static func only(for text: String, among parameters: [ParameterDescription]) -> ParameterDescription? {
    let required = parameters.filter(\.isRequired)
    if required.count > 1 { return nil }
    return (required.isEmpty ? parameters : required).first { $0.shape.suits(text) }
  }
}

extension ParameterShape {
  /// True if a text can be meant for a parameter of this form.
  fileprivate func suits(_ text: String) -> Bool {
    let isDuration = DurationText.duration(text) != nil && Double(text) == nil
    let isBoolean = ["true", "false"].contains(text)
    return switch self {
    case .duration: isDuration
    case .integer: Int(text) != nil
    case .number: Double(text) != nil
    case .boolean: isBoolean
    case .expression: !isDuration && !isBoolean
    case .choice(let words): words.contains(text)
    default: false
    }
  }
}
