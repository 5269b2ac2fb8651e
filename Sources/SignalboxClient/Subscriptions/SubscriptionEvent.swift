/// An event of a subscription.
///
/// Store `seq` and `epoch` of a value with the result of its processing, and a later run of your program can resume
/// there (`SubscriptionOptions.position`).
public struct SubscriptionEvent<Value: Sendable>: Sendable {
  /// The signal of the event.
  public let signal: String
  /// The kind of the event.
  public let kind: Kind

  /// The kinds of events.
  public enum Kind: Sendable {
    /// A value, with its number, which counts in an epoch, and with its time if requested.
    case next(Value, seq: Int, epoch: String, at: String?)
    case completed
    case failed(SignalboxError)
    /// The interruption, with the reason if the daemon caused it: `removed` or `denied` by a reload.
    case interrupted(reason: String?)
    /// So many values are missing here, since this program was too slow.
    case lagged(dropped: Int)
    /// The values after one number and before another are lost; 0 if the latter is unknown.
    case expired(after: Int, oldest: Int)
    /// The numbers start over: values before this may be missing.
    case restarted(epoch: String)
    /// The numbers continue in another epoch.
    case renewed(epoch: String)
    /// A pattern now covers a signal that is new or was restarted.
    case subscribed(seq: Int, epoch: String)
    /// The signal was quiet for the heartbeat interval.
    case alive(seq: Int)
    /// The subscription has delivered its `take` values.
    case ended(reason: String?)
  }

  /// The value, if this is one.
  public var value: Value? { if case .next(let value, _, _, _) = kind { value } else { nil } }
}

/// The position of a program in the values of a signal.
public struct Place: Sendable, Hashable, Codable {
  /// The number of the last value.
  public var seq: Int
  /// The epoch in which it counts.
  public var epoch: String

  /// Creates the position after a value.
  public init(seq: Int, epoch: String) {
    self.seq = seq
    self.epoch = epoch
  }
}

/// The options of a subscription.
public struct SubscriptionOptions: Sendable, Hashable {
  /// The policy for a subscriber that reads too slowly.
  public enum Overflow: String, Sendable, Codable, CaseIterable {
    case dropOldest = "drop_oldest"
    case dropNewest = "drop_newest"
    /// Keep only the newest value of each signal: for state.
    case latest
    case disconnect
    /// Block the signal's senders; the signal must allow it.
    case block
  }

  /// The number of retained values to replay; `nil` for all.
  public var replay: Int?
  /// The number of values after which it ends, over all connections.
  public var take: Int?
  /// A filter expression in the graph's language.
  public var `where`: String?
  /// The interval with at most one value, the newest.
  public var every: Duration?
  /// The interval without any value after which `alive` is delivered.
  public var heartbeat: Duration?
  /// The overflow policy; `nil` to drop the oldest events.
  public var overflow: Overflow?
  /// True to include the time of each value.
  public var timestamps = false
  /// The positions to resume from, from the events of an earlier run.
  public var position: [String: Place] = [:]

  /// Creates options for all retained values, then all later ones.
  public init() {}
}
