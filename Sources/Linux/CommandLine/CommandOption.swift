/// An option of a command line, such as `--config PATH` or `-c PATH`, and what it does.
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

  /// The ways to write it, as help and manual show them: `-c, --config PATH`.
  package var usage: String {
    "\(letter.map { "-\($0), " } ?? "")--\(name)\(argument.map { " \($0)" } ?? "")"
  }

  /// Options as lines of help: the ways to write each, and its meaning.
  package static func help(_ options: [CommandOption]) -> String {
    HelpColumns.text(options.map { ($0.letter == nil ? "    \($0.usage)" : $0.usage, $0.meaning) })
  }
}
