package import GraphModel

/// A source that no file can name, as those of action signals and of the daemon's own signals.
package final class BuiltInSource: BuildableSource {
  package let name: String
  package let kind: SignalKind
  package let isHeld: Bool
  package let references: [SignalReference]
  package let ranks: Ranks
  private let make: @Sendable (OperatorContext) -> Stream

  package init(
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

  package var dependence: Dependence { .memory }
  package var needs: [OutsideNeed] { [] }

  package func build(_ context: OperatorContext) -> Stream { make(context) }
}
