/// Which of the inner streams of a stream of streams are listened to.
///
/// With every strategy a failure of the outer stream, or of an inner one that is listened to, ends the output at once.
/// An interruption of the outer stream interrupts it. It completes when the outer stream and all inner ones have.
public struct FlattenStrategy: Sendable {
  @usableFromInline enum Kind: Sendable {
    case concurrent(limit: Int)
    case latest
    case race
    case throttle
  }

  @usableFromInline let kind: Kind

  /// All of them at the same time: their values as they come.
  public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))

  /// One after the other: each is started when the one before has ended.
  public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))

  /// Up to `limit` at the same time; the others wait, and are started in their order.
  ///
  /// - Precondition: `limit` is 1 at least.
  public static func concurrent(limit: UInt) -> FlattenStrategy {
    precondition(limit > 0, "a limit must leave room for one")
    return FlattenStrategy(kind: .concurrent(limit: Int(clamping: limit)))
  }

  /// The latest: each new one takes the place of the one before, which is interrupted.
  public static let latest = FlattenStrategy(kind: .latest)

  /// The first to send an event, whatever it is; the others are interrupted, and those that come later ignored.
  ///
  /// An interruption of the winner interrupts the output.
  public static let race = FlattenStrategy(kind: .race)

  /// The first; those that come while it goes on are ignored.
  ///
  /// An interruption of the one listened to interrupts the output.
  public static let throttle = FlattenStrategy(kind: .throttle)
}
