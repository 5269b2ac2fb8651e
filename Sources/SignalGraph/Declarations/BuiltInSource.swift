/// A source that no file can name: those of an action's signals and of the daemon's own.
final class BuiltInSource: PreparedSource {
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

  var needs: [OutsideNeed] { [] }

  func build(_ context: OperatorContext) -> Stream { make(context) }
}
