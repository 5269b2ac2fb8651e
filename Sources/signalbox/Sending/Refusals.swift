/// The refusals of sent values, each with the number of the value or line.
struct Refusals {
  /// The noun for the numbers.
  var unit = "value"
  private var all: [(number: Int?, error: CommandError)] = []

  mutating func add(_ number: Int?, _ error: CommandError) { all.append((number, error)) }

  /// Reports the refusals.
  ///
  /// - Parameter count: The number of sent values.
  /// - Throws: The first refusal.
  func report(of count: Int) throws(CommandError) {
    guard let first = all.first else { return }
    if count == 1 { throw first.error }
    for (number, error) in all.dropLast() { printError("signalbox: \(text(number, error))") }
    let last = all[all.count - 1]
    throw CommandError(first.error.status, text(last.number, last.error))
  }

  private func text(_ number: Int?, _ error: CommandError) -> String {
    "\(unit) \(number.map(String.init) ?? "?"): \(error.message ?? "")"
  }
}
