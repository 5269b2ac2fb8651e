/// A client's events of one signal: the values, and the number of reported losses.
struct Story {
  private(set) var numbers: [UInt64] = []
  private(set) var dropped: UInt64 = 0
  /// True while each number follows from the events and gaps before it.
  private(set) var isExact = true
  private var next: UInt64

  init(after last: UInt64 = 0) { next = last + 1 }

  init(_ lines: [String], of signal: String) {
    self.init()
    for line in lines where line.contains(#""signal":"\#(signal)""#) { read(line) }
  }

  mutating func read(_ line: String) {
    if let count = line.number(behind: #""dropped":"#) {
      dropped += count
      next += count
    } else if let number = line.number(behind: #""seq":"#) {
      isExact = isExact && number == next
      numbers.append(number)
      next = number + 1
    }
  }
}

extension String {
  /// Returns the number after a key.
  func number(behind key: String) -> UInt64? {
    guard let range = ranges(of: key).first else { return nil }
    return UInt64(self[range.upperBound...].prefix { $0.isNumber })
  }

  /// Returns the text after a key, up to the next quotation mark.
  func text(behind key: String) -> String? {
    ranges(of: key).first.map { String(self[$0.upperBound...].prefix { $0 != "\"" }) }
  }
}
