package import Base
package import JSON

/// An expression in the jq language, compiled.
///
/// It has access to its input and its declared variables only; it ends within its bounds or with an error. The
/// reference for the semantics is jq 1.8.
package final class Expression: Sendable {
  /// The source text.
  package let source: String
  /// The given variables that it uses, in the order given.
  package let freeVariables: [String]
  package let form: ExpressionForm
  private let root: any Node
  /// True if it searches with regular expressions.
  package let usesPatterns: Bool
  /// True if it reads `now` of its environment.
  package let readsClock: Bool
  /// The names of the time zones that it has looked up; that of the machine's own is empty.
  package let zoneNames: [String]
  private let isDirect: Bool
  private let readsText: Bool
  /// The template for writing the output as text, if the output is an object of known members.
  private let template: ObjectTemplate?

  /// Compiles a source.
  ///
  /// - Parameters:
  ///   - variables: The names, without `$`, of the environment's variables, in its order; the last of equal names shadows
  ///     the others.
  ///   - zones: The time zones that it may name as literals, which are looked up here, once; by default those of this
  ///     machine.
  package init(
    _ source: String, variables: [String] = [], zones: (any TimeZoneSource)? = nil
  ) throws(ExpressionSyntaxError) {
    self.source = source
    let compiler = Compiler(variables: variables, zones: zones ?? MachineZones.shared)
    do throws(SyntaxFault) {
      let syntax = try Parser.parse(source)
      form = syntax.form
      root = try compiler.compile(syntax, Sight())
    } catch {
      throw ExpressionSyntaxError(error, in: source)
    }
    isDirect = root.isDirect
    readsText = root.readsText
    template = (root as? ObjectNode)?.template
    usesPatterns = compiler.usesPatterns
    readsClock = compiler.readsClock
    zoneNames = compiler.zoneNames.sorted()
    freeVariables = variables.filter(compiler.usedVariables.contains)
  }

  /// Passes each output for an input to a sink, as text if the expression only makes an object of scalars.
  package func payloads(
    of input: Payload, _ environment: Environment, into sink: (Payload) -> Void
  ) throws(ExpressionError) {
    if let template, environment.readsText {
      if let object = input.outlined, environment.limits.steps > 0,
        let output = template.copy(object, to: environment.text), output.count <= environment.limits.bytes
      {
        return sink(.raw(output))
      }
      let outer = environment.open()
      defer { environment.close(outer) }
      let text = environment.text
      switch try template.write(input, Frame(environment, nil), to: text) {
      case .empty: return
      case .unchanged(let object):
        if object.count <= environment.limits.bytes { return sink(.raw(object)) }
      case .written:
        if let object = text.end(), object.count <= environment.limits.bytes { return sink(.raw(object)) }
      case .impossible: break
      }
    } else if let number = try number(in: input, environment) {
      return sink(.value(.number(number)))
    }
    try evaluate(input.value, environment) { output in
      sink(.value(output))
      return .next
    }
  }

  /// Returns the number that it outputs for an input, if that is found in the text of the input.
  private func number(in input: Payload, _ environment: Environment) throws(ExpressionError) -> Double? {
    guard readsText, environment.readsText, let object = input.outlined else { return nil }
    let outer = environment.open()
    defer { environment.close(outer) }
    return try root.number(in: object, Frame(environment, nil))
  }

  /// The first output for an input, or `nil` when there is none.
  package func first(_ input: Payload, _ environment: Environment) throws(ExpressionError) -> JSONValue? {
    if let number = try number(in: input, environment) { return .number(number) }
    return try first(input.value, environment)
  }

  /// Returns true if the first output is neither false nor null; no output counts as false.
  package func isTrue(_ input: Payload, _ environment: Environment) throws(ExpressionError) -> Bool {
    if readsText, environment.readsText, let object = input.outlined {
      let outer = environment.open()
      defer { environment.close(outer) }
      if let truth = try root.truth(in: object, Frame(environment, nil)) { return truth }
    }
    return try isTrue(input.value, environment)
  }

  /// Passes each output for an input to a sink, until there are no more or the sink stops.
  package func evaluate(
    _ input: JSONValue, _ environment: Environment, into sink: Sink
  ) throws(ExpressionError) {
    let outer = environment.open()
    defer { environment.close(outer) }
    let frame = Frame(environment, nil)
    if isDirect {
      guard let output = try root.direct(input, frame) else { return }
      try Measure.allowOutput(output, environment)
      _ = try sink(output)
      return
    }
    _ = try root.each(input, frame) { output throws(ExpressionError) in
      try Measure.allowOutput(output, environment)
      return try sink(output)
    }
  }

  /// The first output for an input, or `nil` when there is none.
  package func first(_ input: JSONValue, _ environment: Environment) throws(ExpressionError) -> JSONValue? {
    let outer = environment.open()
    defer { environment.close(outer) }
    let frame = Frame(environment, nil)
    guard let output = isDirect ? try root.direct(input, frame) : try root.first(input, frame) else { return nil }
    try Measure.allowOutput(output, environment)
    return output
  }

  /// Returns true if the first output is neither false nor null; no output counts as false.
  package func isTrue(_ input: JSONValue, _ environment: Environment) throws(ExpressionError) -> Bool {
    try first(input, environment)?.isTrue ?? false
  }

  /// All outputs for an input.
  package func outputs(_ input: JSONValue, _ environment: Environment) throws(ExpressionError) -> [JSONValue] {
    var outputs: [JSONValue] = []
    try evaluate(input, environment) { output throws(ExpressionError) in
      outputs.append(output)
      return .next
    }
    return outputs
  }
}
