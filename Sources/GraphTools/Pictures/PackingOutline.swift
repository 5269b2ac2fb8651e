/// The lower outline of blocks that are packed from the top: steps from left to right.
struct PackingOutline {
  private struct Step {
    var x: Double
    /// The lowest point above which the plane is taken.
    var y: Double
  }

  private let width: Double
  private var steps = [Step(x: 0, y: 0)]

  init(width: Double) { self.width = width }

  /// Adds a block that is no wider than the plane, at the highest place where it fits; returns its upper left corner.
  mutating func add(_ size: PictureLayout.Size) -> PictureLayout.Point {
    var best: (first: Int, y: Double)?
    for first in steps.indices where steps[first].x + size.width <= width + 0.5 {
      let end = steps[first].x + size.width
      let y = steps[first...].prefix { $0.x < end }.map(\.y).max() ?? 0
      if best.map({ y < $0.y }) ?? true { best = (first, y) }
    }
    let (first, y) = best ?? (0, steps.map(\.y).max() ?? 0)
    let origin = PictureLayout.Point(x: steps[first].x, y: y)
    cover(from: origin.x, to: origin.x + size.width, down: y + size.height)
    return origin
  }

  private mutating func cover(from left: Double, to right: Double, down bottom: Double) {
    let behind = steps.last { $0.x <= right }
    var covered = steps.filter { $0.x < left } + [Step(x: left, y: bottom)]
    if let behind, right < width { covered.append(Step(x: right, y: behind.y)) }
    steps = covered + steps.filter { $0.x > right }
  }
}
