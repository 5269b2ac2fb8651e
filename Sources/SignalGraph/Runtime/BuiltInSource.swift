/// A source that no file can name, as those of action signals and of the daemon's own signals.
final class BuiltInSource: BuildableSource {
  let name: String
  let kind: SignalKind
  let isHeld: Bool
  let references: [SignalReference]
  let ranks: Ranks
  private let make: @Sendable (OperatorContext) -> Stream

  init(
    name: String, kind: SignalKind, isHeld: Bool, references: [SignalReference], ranks: Ranks,
    make: @escaping @Sendable (OperatorContext) -> Stream
  ) {
    self.name = name
    self.kind = kind
    self.isHeld = isHeld
    self.references = references
    self.ranks = ranks
    self.make = make
  }

  var dependence: Dependence { .memory }
  var needs: [OutsideNeed] { [] }

  func build(_ context: OperatorContext) -> Stream { make(context) }
}
