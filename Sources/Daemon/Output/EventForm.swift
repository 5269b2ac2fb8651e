import Base
import JSON
import Signals

/// The delivery form of a subscription: the selection, timing and encoding of events.
struct EventForm: Hashable {
  private let labelBytes: ExactText?
  let hasTimestamps: Bool
  /// Stored separately: few subscriptions use any of it, and each idle one would reserve the space twice.
  private let wishes: Wishes?

  private final class Wishes: Hashable, Sendable {
    let condition: ExactText?
    let every: Duration?
    let heartbeat: Duration?

    init(_ condition: ExactText?, _ every: Duration?, _ heartbeat: Duration?) {
      (self.condition, self.every, self.heartbeat) = (condition, every, heartbeat)
    }

    static func == (one: Wishes, other: Wishes) -> Bool {
      one.condition == other.condition && one.every == other.every && one.heartbeat == other.heartbeat
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(condition)
      hasher.combine(every)
      hasher.combine(heartbeat)
    }
  }

  init(
    label: String? = nil, hasTimestamps: Bool = false, condition: String? = nil, every: Duration? = nil,
    heartbeat: Duration? = nil
  ) {
    labelBytes = label.map(ExactText.init)
    self.hasTimestamps = hasTimestamps
    let isPlain = condition == nil && every == nil && heartbeat == nil
    wishes = isPlain ? nil : Wishes(condition.map(ExactText.init), every, heartbeat)
  }

  var label: String? { labelBytes?.text }
  /// The text of its `where`.
  var condition: String? { wishes?.condition?.text }
  var every: Duration? { wishes?.every }
  var heartbeat: Duration? { wishes?.heartbeat }

  /// True if subscriptions can share a delivery group of this form; an `every` counts from each one's own first value.
  var isShared: Bool { every == nil }
}

extension EventForm: StateRecord {
  init(_ field: inout StateCoder<Self>) throws(StateError) {
    self.init(
      label: try field(\.label), hasTimestamps: try field(\.hasTimestamps), condition: try field(\.condition),
      every: try field(\.every), heartbeat: try field(\.heartbeat))
  }
}
