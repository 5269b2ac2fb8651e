/// How a subscription sees a signal: which of its events, when, and in which bytes.
struct EventForm: Hashable {
  let label: String?
  let hasTimestamps: Bool
  /// Kept apart: few ask for any of it, and each idle subscription would have to have room for it twice.
  private let choice: Choice?

  private final class Choice: Hashable, Sendable {
    let condition: String?
    let every: Duration?
    let heartbeat: Duration?

    init(_ condition: String?, _ every: Duration?, _ heartbeat: Duration?) {
      (self.condition, self.every, self.heartbeat) = (condition, every, heartbeat)
    }

    static func == (one: Choice, other: Choice) -> Bool {
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
    choice = isPlain ? nil : Choice(condition, every, heartbeat)
  }

  /// The text of its `where`.
  var condition: String? { choice?.condition }
  var every: Duration? { choice?.every }
  var heartbeat: Duration? { choice?.heartbeat }

  /// Whether all who ask for it can share it; an `every` counts from each one's own first value.
  var isShared: Bool { every == nil }
}
