/// What can stand at the head of a signal, declared once.
package struct SourceDeclaration: Sendable {
  package let name: String
  /// One sentence.
  package let summary: String
  package let kind: SignalKind
  package let parameters: [ParameterDescription]
  let prepare:
    @Sendable (_ argument: ConfigNode, _ key: ConfigNode, _ siblings: (String) -> ConfigNode?, DeclarationReader)
      -> PreparedSource?

  /// Declares a source.
  ///
  /// - Parameters:
  ///   - isHeld: Whether its values are held for newcomers, whatever the signal's traits say.
  ///   - check: What is wrong with parameters that are right each by itself, or `nil`.
  ///   - takesValues: Whether clients and bindings may send to it, as to a property, though its kind does not say so.
  ///   - build: Makes the stream; what it emits at the start it leaves to `context.onStart`.
  init<each Value: ParameterValue>(
    _ name: String, _ summary: String, kind: SignalKind, isHeld: Bool = false,
    _ parameters: repeat Parameter<each Value>,
    check: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    takesValues: @escaping @Sendable (repeat each Value) -> Bool = { (_: repeat each Value) in false },
    build: @escaping @Sendable (OperatorContext, repeat each Value) -> Stream
  ) {
    self.name = name
    self.summary = summary
    self.kind = kind
    let list = ParameterList(repeat each parameters)
    self.parameters = list.descriptions
    prepare = { argument, key, siblings, reader in
      let entry = reader.nextPlace()
      guard let values = list.read(argument.isAbsent ? nil : argument, of: name, at: key, reader, beside: siblings)
      else { return nil }
      if let complaint = check(repeat each values) {
        reader.problems.error("\(name): \(complaint)", at: argument)
        return nil
      }
      var references: [SignalReference] = []
      var needs: [OutsideNeed] = []
      for value in repeat each values {
        references += value.references
        needs += value.needs
      }
      let ranks = Ranks(entry: entry, exit: reader.nextPlace())
      let takesValues = takesValues(repeat each values)
      return PreparedSource(
        name: name, kind: takesValues ? .property : kind, isHeld: isHeld, references: references,
        needs: takesValues ? needs.map(\.forWriting) : needs, ranks: ranks
      ) { context in
        build(context, repeat each values)
      }
    }
  }
}

/// A source whose parameters were read and found right.
struct PreparedSource: Sendable {
  let name: String
  let kind: SignalKind
  /// Whether its values are held for newcomers, whatever the signal's traits say.
  let isHeld: Bool
  let references: [SignalReference]
  var needs: [OutsideNeed] = []
  let ranks: Ranks
  let build: @Sendable (OperatorContext) -> Stream
}
