/// The selection of inner streams in a stream of streams.
///
/// With every strategy a failure of the outer stream, or of a selected inner one, ends the output at once. An
/// interruption of the outer stream interrupts it. It completes when the outer stream and all inner ones have.
public struct FlattenStrategy: Sendable {
  @usableFromInline enum Kind: Sendable {
    case concurrent(limit: Int)
    case latest
    case race
    case throttle
  }

  @usableFromInline let kind: Kind

  /// All at the same time: their values as they are emitted.
  public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))

  /// One after the other: each is started when the previous one has ended.
  public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))

  /// Up to `limit` at the same time; the others wait, and are started in their order.
  ///
  /// - Precondition: `limit` is at least 1.
  public static func concurrent(limit: UInt) -> FlattenStrategy {
    precondition(limit > 0, "a limit must leave room for one")
    return FlattenStrategy(kind: .concurrent(limit: Int(clamping: limit)))
  }

  /// The latest: each new one replaces and interrupts the previous one.
  public static let latest = FlattenStrategy(kind: .latest)

  /// The first to emit an event of any kind; the others are interrupted, and later ones ignored.
  ///
  /// An interruption of the winner interrupts the output.
  public static let race = FlattenStrategy(kind: .race)

  /// The first; others that arrive during it are ignored.
  ///
  /// An interruption of the selected one interrupts the output.
  public static let throttle = FlattenStrategy(kind: .throttle)
}
