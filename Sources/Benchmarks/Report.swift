/// Prints the core's table: the measurements, beside the hand-written closures and the limit.
func printCore() {
  let named = values() + joins() + nested() + sharing() + subscriptions()
  printTable("ns per event, medians", named)
  printTable("other shapes", otherValues() + otherJoins() + otherNested() + otherSubscriptions())
  for found in growth().compactMap(\.self) {
    print("\nns per event by the number of \(found.name); \(column(found.slope, 0, digits: 2)) for one more")
    print(found.points.map { column(Double($0.count), 12, digits: 0) }.joined())
    print(found.points.map { column($0.nanoseconds) }.joined())
  }
}

private func printTable(_ title: String, _ measurements: [Measurement?]) {
  let found = measurements.compactMap(\.self)
  guard !found.isEmpty else { return }
  print("\n" + wide(title, 52) + "    core  closures   ratio    at most         allocations")
  for shape in found {
    print(
      wide(shape.name, 50) + column(shape.nanoseconds, 10) + column(shape.reference, 10)
        + column(shape.ratio(of: shape.nanoseconds), 8, digits: 2) + wide("  " + shape.verdict, 21)
        + column(shape.allocations, 10, digits: 2))
    if !shape.remark.isEmpty { print("    " + shape.remark) }
  }
}

extension Measurement {
  fileprivate func ratio(of nanoseconds: Double) -> Double? { reference.map { nanoseconds / $0 } }

  /// The limit, and the result of the comparison.
  fileprivate var verdict: String {
    switch limit {
    case nil: ""
    case .ratio(let most):
      column(most, 4, digits: 2) + "     " + verdict(most) { ratio(of: $0) ?? .infinity }
    case .nanoseconds(let most): column(most, 4, digits: 0) + " ns  " + verdict(most) { $0 }
    }
  }

  private func verdict(_ most: Double, _ figure: (Double) -> Double) -> String {
    figure(nanoseconds) <= most ? "met" : "missed"
  }
}

/// Pads a text to a width.
func wide(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// A number, if any, in a column of this width.
func column(_ value: Double?, _ width: Int = 12, digits: Int = 1) -> String {
  let text = value.map { decimal($0, digits: digits) } ?? "–"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

private func decimal(_ value: Double, digits: Int) -> String {
  let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
  let rounded = Int((value * Double(unit)).rounded())
  let whole = (rounded < 0 ? "-" : "") + String(abs(rounded) / unit)
  guard digits > 0 else { return whole }
  let rest = String(abs(rounded) % unit)
  return whole + "." + String(repeating: "0", count: digits - rest.count) + rest
}
