/// The last figures of a signal as a one-line graph: `▁▂▃▅▇█`.
struct Curve {
  /// The number of figures to keep.
  static let length = 24

  private static let steps: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  private var figures: [Double] = []

  /// Adds the figure of one step.
  mutating func add(_ figure: Double) {
    figures.append(figure)
    if figures.count > Self.length { figures.removeFirst() }
  }

  /// Returns the figures scaled from the least, at the bottom, to the greatest; a constant is at the bottom.
  ///
  /// - Parameter range: The least and the greatest figure, if known in advance.
  func text(width: Int, range: ClosedRange<Double>? = nil) -> String {
    let shown = figures.suffix(max(0, width))
    guard let lowest = shown.min(), let highest = shown.max() else { return "" }
    let (least, greatest) = (min(lowest, range?.lowerBound ?? lowest), max(highest, range?.upperBound ?? highest))
    // The numbers are halved, since their difference could overflow.
    let span = greatest / 2 - least / 2
    return String(
      shown.map { figure in
        let part = span > 0 ? (figure / 2 - least / 2) / span : 0
        return Self.steps[Int((part * Double(Self.steps.count - 1)).rounded())]
      })
  }
}
