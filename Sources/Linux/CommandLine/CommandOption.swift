/// A command-line option, such as `--config PATH` or `-c PATH`, and its meaning.
package struct CommandOption: Sendable {
  package let name: String
  package let letter: Character?
  /// The name of its argument, if it has one.
  package let argument: String?
  package let meaning: String

  package init(_ name: String, letter: Character? = nil, argument: String? = nil, _ meaning: String) {
    self.name = name
    self.letter = letter
    self.argument = argument
    self.meaning = meaning
  }

  var takesArgument: Bool { argument != nil }

  /// The forms of the option in help and manual: `-c, --config PATH`.
  package var usage: String {
    "\(letter.map { "-\($0), " } ?? "")--\(name)\(argument.map { " \($0)" } ?? "")"
  }

  /// Returns help lines with the forms and meanings of options.
  package static func help(_ options: [CommandOption]) -> String {
    HelpColumns.text(options.map { ($0.letter == nil ? "    \($0.usage)" : $0.usage, $0.meaning) })
  }
}
