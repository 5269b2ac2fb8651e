/// The strings that the arguments of a signal must equal, as a parameter.
package struct BusArguments: ParameterValue {
  package let texts: [Int: String]

  /// The arguments that a bus can match: "Match Rules" in the D-Bus Specification.
  private static let numbers = 0...63

  package static var typeName: String { "strings by argument number, as in {0: eth0}" }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> BusArguments? {
    guard let entries = reading.reader(node).entries() else { return nil }
    var texts: [Int: String] = [:]
    var isWhole = true
    for entry in entries {
      guard let number = Int(entry.name), numbers.contains(number), "\(number)" == entry.name else {
        isWhole = false
        reading.reader.problems.error(
          "\"\(entry.name)\" is not an argument number from 0 to \(numbers.upperBound)", at: entry.key)
        continue
      }
      guard let text = reading.reader(entry.value).text() else {
        isWhole = false
        continue
      }
      texts[number] = text
    }
    return isWhole ? BusArguments(texts: texts) : nil
  }
}
