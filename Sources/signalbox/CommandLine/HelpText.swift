internal import Linux

/// Texts that explain commands, made from their declarations.
enum HelpText {
  static func overview(_ commands: [Command]) -> String {
    """
    Usage: signalbox COMMAND [OPTION…] [ARGUMENT…]

    Talks with signalboxd: feeds its signals and follows them.

    \(HelpColumns.text(commands.map { ($0.name, $0.summary) }))

    Try:
    \(examples(commands.prefix(4).compactMap(\.examples.first)))

    signalbox COMMAND --help explains a command. Those that ask the daemon take:
    \(options(Command.commonOptions))

    On a terminal you get readable columns, in a pipe plain lines, with --json what the daemon said.

    Exit status:
    \(HelpColumns.text(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }))

    """
  }

  static func of(_ command: Command) -> String {
    var paragraphs = [
      "Usage: \(command.usage)",
      command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".",
    ]
    if !command.details.isEmpty { paragraphs.append(command.details) }
    paragraphs.append(options(command.shownOptions))
    paragraphs.append("Examples:\n" + examples(command.examples))
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  private static func options(_ options: [Command.Option]) -> String { CommandOption.help(options.map(\.option)) }

  private static func examples(_ examples: [Command.Example]) -> String {
    examples.map { "  \($0.line)\n      \($0.meaning)" }.joined(separator: "\n")
  }
}
