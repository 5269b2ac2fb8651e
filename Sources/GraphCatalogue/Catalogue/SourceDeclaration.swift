import GraphEngine
package import GraphModel
import JSON

/// A source that can begin a signal, declared once.
package struct SourceDeclaration: Sendable {
  package let name: String
  /// The names in other systems, for readers who know those.
  package private(set) var synonyms: [String] = []
  /// True if it is driven by time alone, so that it repeats its events in a test that starts when it does.
  package private(set) var isClock = false
  /// One sentence.
  package let summary: String
  package let kind: SignalKind
  package let parameters: [ParameterDescription]
  let prepare:
    @Sendable (_ argument: ConfigNode, _ key: ConfigNode, _ siblings: (String) -> ConfigNode.Entry?, DeclarationReader)
      -> (any PreparedSource)?

  /// Declares a source.
  ///
  /// - Parameters:
  ///   - isHeld: True if its values are held for new subscribers, whatever the signal's traits.
  ///   - dependence: The earlier events that an output depends on; all of them by default.
  ///   - check: Returns the error in parameters that are valid individually, or `nil`.
  ///   - advice: Returns a warning about parameters that are unlikely to be intended, or `nil`.
  ///   - needs: What it needs outside, beside what its parameters need.
  ///   - takesValuesAs: Returns the kind of a source that clients and bindings may send to although `kind` does not
  ///     imply it; the values of an input are not held.
  ///   - build: Makes the stream; values for the start are left to `context.onStart`.
  init<each Value: ParameterValue>(
    _ name: String, _ summary: String, kind: SignalKind, isHeld: Bool = false,
    _ parameters: repeat Parameter<each Value>, dependence: Dependence = .history,
    check: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    advice: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    needs: [OutsideNeed] = [],
    takesValuesAs: @escaping @Sendable (repeat each Value) -> SignalKind? = { (_: repeat each Value) in nil },
    build: @escaping @Sendable (OperatorContext, repeat each Value) -> Stream
  ) {
    self.init(
      ParameterList(repeat each parameters), summary, check, advice, { (_, _: repeat each Value) in nil },
      SourceRule(
        name: name, kind: kind, dependence: dependence, needs: needs, isHeld: { (_: repeat each Value) in isHeld },
        takesValuesAs: takesValuesAs, build: build))
  }

  /// Declares a source that is made from all its parameters together.
  ///
  /// - Parameter make: Makes it from their values.
  init<each Value: ParameterValue, Whole: WholeSource>(
    _ name: String, _ summary: String, kind: SignalKind, _ parameters: repeat Parameter<each Value>,
    as make: @escaping @Sendable (repeat each Value) -> Whole
  ) {
    self.init(
      ParameterList(repeat each parameters), summary,
      { (values: repeat each Value) in make(repeat each values).problem },
      { (values: repeat each Value) in make(repeat each values).advice },
      { (node, values: repeat each Value) in make(repeat each values).mention(at: node) },
      SourceRule(
        name: name, kind: kind, dependence: .history, needs: [],
        isHeld: { (values: repeat each Value) in make(repeat each values).isHeld },
        takesValuesAs: { (values: repeat each Value) in make(repeat each values).takesValues ? .property : nil },
        build: { (context: OperatorContext, values: repeat each Value) in make(repeat each values).stream(context) }))
  }

  /// Returns it with its names in other systems: ReactiveX, stream processors, brokers, shells.
  func alsoKnown(as synonyms: String...) -> SourceDeclaration {
    var declaration = self
    declaration.synonyms = synonyms
    return declaration
  }

  /// Returns it as a source that is driven by time alone.
  func drivenByTime() -> SourceDeclaration {
    var declaration = self
    declaration.isClock = true
    return declaration
  }

  private init<each Value: ParameterValue>(
    _ list: ParameterList<repeat each Value>, _ summary: String,
    _ check: @escaping @Sendable (repeat each Value) -> String?,
    _ advice: @escaping @Sendable (repeat each Value) -> String?,
    _ mention: @escaping @Sendable (ConfigNode, repeat each Value) -> BusMention?, _ rule: SourceRule<repeat each Value>
  ) {
    self.name = rule.name
    self.summary = summary
    self.kind = rule.kind
    self.parameters = list.descriptions
    prepare = { argument, key, siblings, reader in
      let entry = reader.nextPlace()
      guard let values = list.read(argument.isAbsent ? nil : argument, of: rule.name, at: key, reader, beside: siblings)
      else { return nil }
      if let complaint = check(repeat each values) {
        reader.problems.error("\(rule.name): \(complaint)", at: argument)
        return nil
      }
      if let advice = advice(repeat each values) { reader.problems.warning("\(rule.name): \(advice)", at: argument) }
      if let mention = mention(argument, repeat each values) { reader.note(mention) }
      return SourceUse(rule, (repeat each values), Ranks(entry: entry, exit: reader.nextPlace(of: key)))
    }
  }
}

/// A source made from all its parameters together.
protocol WholeSource: Sendable {
  /// The error in parameters that are valid individually.
  var problem: String? { get }
  /// The warning about parameters that are unlikely to be intended.
  var advice: String? { get }
  /// True if its values are held for new subscribers, whatever the signal's traits.
  var isHeld: Bool { get }
  /// True if clients and bindings may send to it, as to a property.
  var takesValues: Bool { get }
  /// Returns the item on a bus that it names, with the parameters at a node.
  func mention(at node: ConfigNode) -> BusMention?
  /// Makes the stream; values for the start are left to `context.onStart`.
  func stream(_ context: OperatorContext) -> Stream
}

extension WholeSource {
  var problem: String? { nil }
  var advice: String? { nil }
  func mention(at node: ConfigNode) -> BusMention? { nil }
}

extension SourceDeclaration {
  /// True if its word is a trait as well unless its value is a mapping: the parameters of the source are always in one.
  package var isTraitUnlessMapping: Bool {
    SignalTraits.names.contains(name) && parameters.allSatisfy { $0.form != "plain" && $0.form != "only" }
  }

  /// True if its word is a trait as well wherever there is another source.
  package var isTraitBesideOthers: Bool {
    name == SignalTraits.formerUnit || SignalTraits.names.contains(name) && !isTraitUnlessMapping
  }
}

/// The part that all uses of a source share.
private final class SourceRule<each Value: ParameterValue>: Sendable {
  let name: String
  let kind: SignalKind
  let dependence: Dependence
  let needs: [OutsideNeed]
  let isHeld: @Sendable (repeat each Value) -> Bool
  let takesValuesAs: @Sendable (repeat each Value) -> SignalKind?
  let build: @Sendable (OperatorContext, repeat each Value) -> Stream

  init(
    name: String, kind: SignalKind, dependence: Dependence, needs: [OutsideNeed],
    isHeld: @escaping @Sendable (repeat each Value) -> Bool,
    takesValuesAs: @escaping @Sendable (repeat each Value) -> SignalKind?,
    build: @escaping @Sendable (OperatorContext, repeat each Value) -> Stream
  ) {
    self.name = name
    self.kind = kind
    self.dependence = dependence
    self.needs = needs
    self.isHeld = isHeld
    self.takesValuesAs = takesValuesAs
    self.build = build
  }
}

/// One use of a source.
private final class SourceUse<each Value: ParameterValue>: BuildableSource {
  private let rule: SourceRule<repeat each Value>
  let ranks: Ranks
  private let values: (repeat each Value)

  init(_ rule: SourceRule<repeat each Value>, _ values: (repeat each Value), _ ranks: Ranks) {
    self.rule = rule
    self.ranks = ranks
    self.values = (repeat each values)
  }

  var name: String { rule.name }
  var dependence: Dependence { rule.dependence }
  var isHeld: Bool { rule.isHeld(repeat each values) && kind != .input }
  /// The kind that it has because values are sent to it.
  private var kindForSenders: SignalKind? { rule.takesValuesAs(repeat each values) }
  var kind: SignalKind { kindForSenders ?? rule.kind }

  var references: [SignalReference] { ParameterList.references(of: (repeat each values)) }

  var needs: [OutsideNeed] {
    var needs = rule.needs
    for value in repeat each values { needs += value.needs }
    return kindForSenders != nil ? needs.map(\.forWriting) : needs
  }

  var acceptedType: DeclaredType? {
    var declared: DeclaredType?
    for value in repeat each values {
      if let type = value as? DeclaredType { declared = type }
    }
    guard declared == .any, let implied = initialValue?.type else { return declared }
    return DeclaredType(implied)
  }

  var initialValue: JSONValue? {
    for value in repeat each values {
      if let value = value as? JSONValue { return value }
    }
    return nil
  }

  func build(_ context: OperatorContext) -> Stream { rule.build(context, repeat each values) }
}
