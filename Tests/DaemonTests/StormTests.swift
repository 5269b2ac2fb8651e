import Glibc
import Linux
import TestSupport
import Testing

/// Random reloads and restarts under random subscriptions, sends and disconnects, against a model written from the
/// documentation.
@Suite struct `Storms` {
  /// The duration of storms from a random seed on; by default there are a few with fixed seeds.
  private static let seconds = getenv("STORM_SECONDS").flatMap { Int(String(cString: $0)) }
  /// The seed of the first one; `STORM_SEED` repeats a failure.
  private static let seed = getenv("STORM_SEED").flatMap { UInt64(String(cString: $0)) }
  private static let few = 25

  @Test(arguments: HostKind.allCases) func `leave each client with what the documentation promises, and no trace`(
    kind: HostKind
  ) throws {
    let end = MonotonicInstant.now() + .seconds(Self.seconds ?? 0)
    var seed = Self.seed ?? (Self.seconds == nil ? 1 : UInt64.random(in: 0...UInt64(UInt32.max)))
    let last = Self.seed == nil && Self.seconds == nil ? seed + UInt64(Self.few) : 0
    repeat {
      var random = SplitMix(seed: seed)
      let commands = StormCommand.storm(random.number(10...120), &random)
      if let failure = try Storm.failure(of: commands, on: kind) {
        let fewest = Storm.shrunk(commands, on: kind)
        let again = (try? Storm.failure(of: fewest, on: kind)) ?? failure
        let story = fewest.map { "  \($0.story)" }.joined(separator: "\n")
        Issue.record("STORM_SEED=\(seed): \(failure)\nin short:\n\(story)\n\(again)")
        return
      }
      seed += 1
    } while seed < last || MonotonicInstant.now() < end
  }
}

extension StormCommand {
  /// The steps for repeating it by hand.
  fileprivate var story: String {
    switch self {
    case .reload(let graph): "reload\n\(graph.yaml("/tmp"))"
    default: "\(self)"
    }
  }
}
