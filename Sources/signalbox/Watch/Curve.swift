/// The last figures of a signal, drawn in one line: `▁▂▃▅▇█`.
struct Curve {
  /// The number of figures that are kept.
  static let length = 24

  private static let steps: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  private var figures: [Double] = []

  /// Adds the figure of one step of time.
  mutating func add(_ figure: Double) {
    figures.append(figure)
    if figures.count > Self.length { figures.removeFirst() }
  }

  /// From the least of the last figures, at the bottom, to the greatest; a level line stands at the bottom.
  func text(width: Int) -> String {
    let shown = figures.suffix(max(0, width))
    guard let least = shown.min(), let greatest = shown.max() else { return "" }
    // Halves, since the difference of two numbers may be none any more.
    let span = greatest / 2 - least / 2
    return String(
      shown.map { figure in
        let part = span > 0 ? (figure / 2 - least / 2) / span : 0
        return Self.steps[Int((part * Double(Self.steps.count - 1)).rounded())]
      })
  }
}
