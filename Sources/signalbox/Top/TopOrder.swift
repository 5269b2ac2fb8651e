/// The order of the signals in `top`.
struct TopOrder: Equatable {
  /// The number of a column, starting at 1; 0 for the name.
  private(set) var column = 1
  /// True for descending names or ascending figures.
  var isReversed = false

  /// The titles of the columns in lower case.
  static let names = ["signal"] + TopColumn.all.map { $0.title.lowercased() }

  init() {}

  init?(_ name: String) {
    guard let column = Self.names.firstIndex(of: name) else { return nil }
    self.column = column
  }

  var title: String { column == 0 ? "SIGNAL" : TopColumn.all[column - 1].title }

  /// Selects another column.
  mutating func move(by steps: Int) { column = (column + steps + Self.names.count) % Self.names.count }

  /// Sorts signals; equal ones remain in the order of the configuration.
  func sorted(_ activities: [Activity]) -> [Activity] {
    let sorted = activities.enumerated().sorted { left, right in
      isBefore(left.element, right.element) ?? (left.offset < right.offset)
    }
    return sorted.map(\.element)
  }

  private func isBefore(_ left: Activity, _ right: Activity) -> Bool? {
    if column == 0 {
      return left.name == right.name ? nil : (left.name < right.name) != isReversed
    }
    let amount = TopColumn.all[column - 1].amount
    switch (amount(left), amount(right)) {
    case (let left?, let right?): return left == right ? nil : (left > right) != isReversed
    case (nil, nil): return nil
    case (let left, _): return left != nil
    }
  }
}
