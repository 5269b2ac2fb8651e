/// How a subscription sees a signal: which of its events, when, and in which bytes.
struct EventForm: Hashable {
  let label: String?
  let hasTimestamps: Bool
  /// Kept apart: few ask for any of it, and each idle subscription would have to have room for it twice.
  private let wishes: Wishes?

  private final class Wishes: Hashable, Sendable {
    let condition: String?
    let every: Duration?
    let heartbeat: Duration?

    init(_ condition: String?, _ every: Duration?, _ heartbeat: Duration?) {
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
    self.label = label
    self.hasTimestamps = hasTimestamps
    let isPlain = condition == nil && every == nil && heartbeat == nil
    wishes = isPlain ? nil : Wishes(condition, every, heartbeat)
  }

  /// The text of its `where`.
  var condition: String? { wishes?.condition }
  var every: Duration? { wishes?.every }
  var heartbeat: Duration? { wishes?.heartbeat }

  /// Whether all who ask for it can share it; an `every` counts from each one's own first value.
  var isShared: Bool { every == nil }
}
