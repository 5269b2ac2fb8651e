import GraphStories
import TestSupport
import Testing

/// Graphs that become durable, and cease to be, while they subscribe to each other.
///
/// `BORDER_GRAPHS` is the number of additional stories, and `BORDER_FROM` the first of them.
@Suite struct BorderStoryTests {
  @Test(arguments: RandomSeeds.first(60, further: "BORDER_GRAPHS", from: "BORDER_FROM"))
  func `graphs receive from each other whichever are durable, whatever the disk does, and whatever ends them`(seed: Int)
    throws
  {
    try Self.expectNoFault(seed)
  }

  @Test(.streams("m", "n"), arguments: RandomSeeds.first(60, further: "BORDER_GRAPHS", from: "BORDER_FROM"))
  func `graphs receive from each other whichever of them share a home`(seed: Int) throws {
    try Self.expectNoFault(seed)
  }

  private static func expectNoFault(_ seed: Int) throws {
    let story = BorderStep.story(seed: seed)
    guard let first = try BorderStory.fault(of: story.steps, story.graphs) else { return }
    let least = shrunk(story.steps, story.graphs)
    let fault = (try? BorderStory.fault(of: least, story.graphs)) ?? "\(first), at first; not once more"
    let text = least.map { "  \($0)" }.joined(separator: "\n")
    Issue.record("seed \(seed): \(fault)\n\(story.graphs)\n\(text)")
  }

  /// Returns the fewest of the steps that still show a fault.
  private static func shrunk(_ steps: [BorderStep], _ graphs: BorderGraphs) -> [BorderStep] {
    var steps = steps
    var portion = max(1, steps.count / 2)
    while portion > 0 {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + portion, fewer.count))
        if (try? BorderStory.fault(of: fewer, graphs)) ?? nil != nil { steps = fewer } else { start += portion }
      }
      portion /= 2
    }
    return steps
  }
}
