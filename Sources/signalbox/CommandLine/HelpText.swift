internal import Linux

/// The help texts, generated from the declarations of the commands.
enum HelpText {
  /// - Parameter width: The width of the terminal; `nil` without one.
  static func overview(_ commands: [Command], width: Int?) -> String {
    let text = """
      Usage: signalbox COMMAND [OPTION…] [ARGUMENT…]

      Client of signalboxd: sends values to its signals and follows them.

      \(HelpColumns.text(commands.map { ($0.name, $0.summary) }))

      Try:
      \(examples(commands.prefix(4).compactMap(\.examples.first)))

      See signalbox COMMAND --help. Options of commands that talk to the daemon:
      \(options(Command.commonOptions))

      Output is aligned columns on a terminal, plain lines in a pipe, and the daemon's own JSON with --json.

      Exit status:
      \(HelpColumns.text(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }))

      """
    return WrappedText.text(text, width: width)
  }

  static func of(_ command: Command, width: Int?) -> String {
    var paragraphs = [
      "Usage: \(command.usage)",
      command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".",
    ]
    if !command.details.isEmpty { paragraphs.append(WrappedText.paragraphs(command.details, width: width)) }
    paragraphs.append(options(command.shownOptions))
    paragraphs.append("Examples:\n" + examples(command.examples))
    return WrappedText.text(paragraphs.joined(separator: "\n\n") + "\n", width: width)
  }

  private static func options(_ options: [Command.Option]) -> String { CommandOption.help(options.map(\.option)) }

  private static func examples(_ examples: [Command.Example]) -> String {
    examples.map { "  \($0.line)\n      \($0.meaning)" }.joined(separator: "\n")
  }
}
