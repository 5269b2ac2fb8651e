import GraphEngine
import GraphModel
import JSON
import Signals

/// The external events that arrived while nothing could be written, in order.
///
/// Most sources are not read then. What arrives nevertheless is entered once there is room: the newest of those events that
/// make earlier ones obsolete, and a number of all others.
struct MissedEvents {
  private var events: [(number: UInt64, event: WorldEvent)] = []
  /// The number of kept events of each attachment that stand for themselves, and the size of them all.
  private var counts: [UInt64: Int] = [:]
  private var bytes = 0

  /// The most events of one attachment that stand for themselves, and the greatest size of those of all.
  static let (most, greatestSize) = (1_000, 16 << 20)

  var isEmpty: Bool { events.isEmpty }

  /// Appends an event of an attachment.
  ///
  /// - Returns: False if there is no room for it, and it is lost.
  mutating func append(_ event: WorldEvent, of number: UInt64) -> Bool {
    switch event {
    case .bus(.properties(let changed)):
      if let last = events.lastIndex(where: { $0.number == number }),
        case .bus(.properties(let known)) = events[last].event
      {
        events[last].event = .bus(.properties(known.merging(changed) { $1 }))
        return true
      }
    case .bus(.gone):
      remove(of: number) {
        switch $0 {
        case .bus(.properties), .bus(.gone): true
        default: false
        }
      }
    case _ where event.isDeliveredOnce: remove(of: number, where: \.isDeliveredOnce)
    default:
      var writer = StateEncoder()
      event.encode(to: &writer)
      let count = counts[number, default: 0]
      if count >= Self.most || bytes + writer.bytes.count > Self.greatestSize { return false }
      counts[number] = count + 1
      bytes += writer.bytes.count
    }
    events.append((number, event))
    return true
  }

  private mutating func remove(of number: UInt64, where isObsolete: (WorldEvent) -> Bool) {
    events.removeAll { $0.number == number && isObsolete($0.event) }
  }

  /// Removes and returns all events.
  mutating func takeAll() -> [(number: UInt64, event: WorldEvent)] {
    defer { self = MissedEvents() }
    return events
  }
}
