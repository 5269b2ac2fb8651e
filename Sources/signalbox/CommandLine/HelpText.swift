/// Texts that explain commands, made from their declarations.
enum HelpText {
  static func overview(_ commands: [Command]) -> String {
    """
    Usage: signalbox COMMAND [OPTION…] [ARGUMENT…]

    Talks with signalboxd: feeds its signals and follows them.

    \(columns(commands.map { ($0.name, $0.summary) }))

    Try:
    \(examples(commands.prefix(4).compactMap(\.examples.first)))

    signalbox COMMAND --help explains a command. All take:
    \(options(Command.commonOptions))

    On a terminal you get readable columns, in a pipe plain lines, with --json what the daemon said.

    Exit status:
    \(columns(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }))

    """
  }

  static func of(_ command: Command) -> String {
    var paragraphs = [
      "Usage: signalbox \(command.name) [OPTION…] \(command.operands)",
      command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".",
    ]
    if !command.details.isEmpty { paragraphs.append(command.details) }
    paragraphs.append(options(command.allOptions))
    paragraphs.append("Examples:\n" + examples(command.examples))
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  private static func options(_ options: [Command.Option]) -> String {
    columns(
      options.map { option in
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return ("\(letter)--\(option.name)\(option.argument.map { " " + $0 } ?? "")", option.doc)
      })
  }

  private static func examples(_ examples: [Command.Example]) -> String {
    examples.map { "  \($0.line)\n      \($0.meaning)" }.joined(separator: "\n")
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { left, right in
      let padding = String(repeating: " ", count: max(0, width - left.count))
      return "  \(left)\(padding)  \(right)"
    }.joined(separator: "\n")
  }
}
