internal import WireProtocol

/// The refusals of what was sent, each with the number of the value or line.
struct Refusals {
  /// The thing that the numbers count.
  var unit = "value"
  private var all: [(number: Int?, error: CommandError)] = []

  mutating func add(_ number: Int?, _ error: CommandError) { all.append((number, error)) }

  /// Reports them.
  ///
  /// - Parameter count: the number of things that were sent.
  /// - Throws: the first refusal.
  func tell(of count: Int) throws(CommandError) {
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

extension ServerLine {
  /// The id of an answer, where it is a number.
  var number: Int? { id.flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } }
}
