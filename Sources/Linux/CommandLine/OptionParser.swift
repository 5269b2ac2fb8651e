import CSystemd
import Glibc

/// The options and operands of a command line.
package struct ParsedArguments: Sendable {
  /// The options in order, by long name.
  package fileprivate(set) var options: [(name: String, argument: String?)] = []
  /// The operands in order.
  package fileprivate(set) var operands: [String] = []

  /// Returns true if an option was given.
  package func has(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// Returns the argument of an option; of several, the last one.
  package func argument(of name: String) -> String? { options.last { $0.name == name }?.argument }
}

/// An invalid command line.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Parses command lines with `getopt_long(3)`.
package enum OptionParser {
  /// - Parameters:
  ///   - stopsAtOperand: True if the words after the first operand belong to a subcommand.
  ///   - takesNumbers: True if a negative number is a value, not an option.
  package static func parse(
    _ arguments: [String], _ options: [CommandOption], stopsAtOperand: Bool = false, takesNumbers: Bool = false
  ) throws(UsageError) -> ParsedArguments {
    // C's first argument is the program's name, which is ignored.
    var strings = (["signalbox"] + arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    // The parser takes a word for an option by its first byte.
    let numbers = Set(takesNumbers ? strings.compactMap(\.self).filter(isNegativeNumber) : [])
    for number in numbers { number.pointee = hiddenSign }
    let names = options.map { strdup($0.name) }
    defer { for name in names { free(name) } }
    let longOptions =
      zip(options, names).enumerated().map { index, entry in
        option(
          name: entry.1, has_arg: entry.0.takesArgument ? 1 : 0, flag: nil, val: Int32(index) + firstValue)
      } + [option()]
    return try read(&strings, longOptions, options, letters(of: options, stopsAtOperand)) { word in
      numbers.contains(UnsafeMutablePointer(mutating: word)) ? "-\(String(cString: word + 1))" : String(cString: word)
    }
  }

  private static let sign = CChar(bitPattern: UInt8(ascii: "-"))
  /// Stands for the sign of a negative number meanwhile.
  private static let hiddenSign = CChar(bitPattern: UInt8(ascii: "+"))

  private static func isNegativeNumber(_ word: UnsafeMutablePointer<CChar>) -> Bool {
    word[0] == sign && UInt8(ascii: "0")...UInt8(ascii: "9") ~= UInt8(bitPattern: word[1])
  }

  /// The values of long options start above those of letters.
  private static let firstValue: Int32 = 1000

  private static func read(
    _ strings: inout [UnsafeMutablePointer<CChar>?], _ longOptions: [option], _ options: [CommandOption],
    _ letters: String, text: (UnsafePointer<CChar>) -> String
  ) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    let count = Int32(strings.count - 1)
    var next: Int32 = 0
    while true {
      var argument: UnsafePointer<CChar>?
      let before = max(next, 1)
      let found = signalbox_getopt_long(count, &strings, letters, longOptions, &next, &argument)
      if found == -1 { break }
      guard let option = declared(found, options) else {
        throw unusable(strings[Int(max(before, next - 1))].map { String(cString: $0) } ?? "", options, found)
      }
      parsed.options.append((option.name, argument.map(text)))
    }
    parsed.operands = strings[Int(next)..<Int(count)].compactMap { $0.map { text($0) } }
    return parsed
  }

  private static func declared(_ value: Int32, _ options: [CommandOption]) -> CommandOption? {
    if value >= firstValue { return options[Int(value - firstValue)] }
    return options.first { $0.letter?.asciiValue.map(Int32.init) == value }
  }

  private static func letters(of options: [CommandOption], _ stopsAtOperand: Bool) -> String {
    // A leading ":" distinguishes a missing argument from an unknown option.
    (stopsAtOperand ? "+:" : ":")
      + options.map { option in option.letter.map { "\($0)" + (option.takesArgument ? ":" : "") } ?? "" }.joined()
  }

  private static func unusable(_ text: String, _ options: [CommandOption], _ found: Int32) -> UsageError {
    if found == Int32(UInt8(ascii: ":")) { return UsageError("\(text) needs an argument") }
    return UsageError("unknown option \(text)")
  }
}
