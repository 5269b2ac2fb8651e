/// A source that can stand at the head of a signal, declared once.
package struct SourceDeclaration: Sendable {
  package let name: String
  /// One sentence.
  package let summary: String
  package let kind: SignalKind
  package let parameters: [ParameterDescription]
  let prepare:
    @Sendable (_ argument: ConfigNode, _ key: ConfigNode, _ siblings: (String) -> ConfigNode?, DeclarationReader)
      -> (any PreparedSource)?

  /// Declares a source.
  ///
  /// - Parameters:
  ///   - isHeld: Whether its values are held for newcomers, whatever the signal's traits say.
  ///   - check: Names the mistake in parameters that are right each by itself, or `nil`.
  ///   - advice: Names a choice of theirs that is unlikely to be meant, or `nil`.
  ///   - takesValuesAs: The kind that it is where clients and bindings may send to it, though its own does not say so;
  ///     the values of an input are not held.
  ///   - build: Makes the stream; it leaves values for the start to `context.onStart`.
  init<each Value: ParameterValue>(
    _ name: String, _ summary: String, kind: SignalKind, isHeld: Bool = false,
    _ parameters: repeat Parameter<each Value>,
    check: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    advice: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    takesValuesAs: @escaping @Sendable (repeat each Value) -> SignalKind? = { (_: repeat each Value) in nil },
    build: @escaping @Sendable (OperatorContext, repeat each Value) -> Stream
  ) {
    self.name = name
    self.summary = summary
    self.kind = kind
    let list = ParameterList(repeat each parameters)
    self.parameters = list.descriptions
    let rule = SourceRule(name: name, kind: kind, isHeld: isHeld, takesValuesAs: takesValuesAs, build: build)
    prepare = { argument, key, siblings, reader in
      let entry = reader.nextPlace()
      guard let values = list.read(argument.isAbsent ? nil : argument, of: name, at: key, reader, beside: siblings)
      else { return nil }
      if let complaint = check(repeat each values) {
        reader.problems.error("\(name): \(complaint)", at: argument)
        return nil
      }
      if let advice = advice(repeat each values) { reader.problems.warning("\(name): \(advice)", at: argument) }
      return SourceUse(rule, (repeat each values), Ranks(entry: entry, exit: reader.nextPlace()))
    }
  }
}

/// The part that all uses of a source share.
private final class SourceRule<each Value: ParameterValue>: Sendable {
  let name: String
  let kind: SignalKind
  let isHeld: Bool
  let takesValuesAs: @Sendable (repeat each Value) -> SignalKind?
  let build: @Sendable (OperatorContext, repeat each Value) -> Stream

  init(
    name: String, kind: SignalKind, isHeld: Bool,
    takesValuesAs: @escaping @Sendable (repeat each Value) -> SignalKind?,
    build: @escaping @Sendable (OperatorContext, repeat each Value) -> Stream
  ) {
    self.name = name
    self.kind = kind
    self.isHeld = isHeld
    self.takesValuesAs = takesValuesAs
    self.build = build
  }
}

/// One use of a source.
private final class SourceUse<each Value: ParameterValue>: PreparedSource {
  private let rule: SourceRule<repeat each Value>
  let ranks: Ranks
  private let values: (repeat each Value)

  init(_ rule: SourceRule<repeat each Value>, _ values: (repeat each Value), _ ranks: Ranks) {
    self.rule = rule
    self.ranks = ranks
    self.values = (repeat each values)
  }

  var name: String { rule.name }
  var isHeld: Bool { rule.isHeld && kind != .input }
  /// The kind that it is because values are sent to it.
  private var kindForSenders: SignalKind? { rule.takesValuesAs(repeat each values) }
  var kind: SignalKind { kindForSenders ?? rule.kind }

  var references: [SignalReference] { ParameterList.references(of: (repeat each values)) }

  var needs: [OutsideNeed] {
    var needs: [OutsideNeed] = []
    for value in repeat each values { needs += value.needs }
    return kindForSenders != nil ? needs.map(\.forWriting) : needs
  }

  func build(_ context: OperatorContext) -> Stream { rule.build(context, repeat each values) }
}
