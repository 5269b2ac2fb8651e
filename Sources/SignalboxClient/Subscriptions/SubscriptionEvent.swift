/// What a subscription tells.
///
/// Keep `seq` and `epoch` of a value beside what you do with it, and a later run of your program can go on there
/// (`SubscriptionOptions.position`).
public struct SubscriptionEvent<Value: Sendable>: Sendable {
  /// The signal that it is of.
  public let signal: String
  /// What has happened.
  public let kind: Kind

  /// What may happen.
  public enum Kind: Sendable {
    /// A value, with its number, which counts in an epoch, and with when it came if that was asked for.
    case next(Value, seq: Int, epoch: String, at: String?)
    case completed
    case failed(SignalboxError)
    /// With the reason where the daemon caused it: `removed` or `denied` by a reload.
    case interrupted(reason: String?)
    /// So many values are missing here, since this program was too slow.
    case lagged(dropped: Int)
    /// The values after one number and before another are lost; 0 where the other cannot be known.
    case expired(after: Int, oldest: Int)
    /// The numbers begin anew: values before this may be missing.
    case restarted(epoch: String)
    /// The numbers go on in another epoch.
    case renewed(epoch: String)
    /// A pattern now covers a signal that is new, or was started anew.
    case subscribed(seq: Int, epoch: String)
    /// The signal was quiet for the heartbeat.
    case alive(seq: Int)
    /// The subscription has had its `take`.
    case ended(reason: String?)
  }

  /// The value, if this is one.
  public var value: Value? { if case .next(let value, _, _, _) = kind { value } else { nil } }
}

/// How far a program has come with the values of a signal.
public struct Place: Sendable, Hashable, Codable {
  /// The number of the last value.
  public var seq: Int
  /// The epoch in which it counts.
  public var epoch: String

  /// The place behind a value.
  public init(seq: Int, epoch: String) {
    self.seq = seq
    self.epoch = epoch
  }
}

/// The wishes of a subscriber.
public struct SubscriptionOptions: Sendable, Hashable {
  /// What gives way when a subscriber reads too slowly.
  public enum Overflow: String, Sendable, Codable, CaseIterable {
    case dropOldest = "drop_oldest"
    case dropNewest = "drop_newest"
    /// Keeps the newest value of each signal: for state.
    case latest
    case disconnect
    /// The signal's senders wait; the signal must allow it.
    case block
  }

  /// How many retained values come first; `nil` for all.
  public var replay: Int?
  /// Ends after this many values, over all connections.
  public var take: Int?
  /// An expression of the graph's language: only values for which it is true.
  public var `where`: String?
  /// At most one value, the newest, in this time.
  public var every: Duration?
  /// After this time without any value `alive` is told.
  public var heartbeat: Duration?
  /// What gives way when this program reads too slowly; `nil` for the oldest events.
  public var overflow: Overflow?
  /// Whether events tell when a value came.
  public var timestamps = false
  /// Where to go on, from the events of an earlier run.
  public var position: [String: Place] = [:]

  /// No wishes: all that is retained, then all that comes.
  public init() {}
}
