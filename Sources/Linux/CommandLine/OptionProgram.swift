import Glibc

/// The declaration of a program that takes only options, and what is made of it: the parsed command line, the help, the
/// manual page, the completions and the report of a failed start.
package struct OptionProgram: Sendable {
  private let name: String
  private let version: String
  private let synopsis: String
  private let summary: String
  private let introduction: String
  private let description: String
  private let options: [CommandOption]
  private let hiddenOptions: [CommandOption]
  private let sections: @Sendable (inout ManualPage) -> Void

  /// - Parameters:
  ///   - summary: A phrase without a full stop for the manual page.
  ///   - introduction: The sentences that the help begins with.
  ///   - description: The section of the manual page.
  ///   - options: The program's own options, without those that each program has.
  ///   - hiddenOptions: Options that are accepted, and named nowhere.
  ///   - sections: Appends to the manual page what follows its options.
  package init(
    _ name: String, version: String, synopsis: String, summary: String, introduction: String, description: String,
    options: [CommandOption], hiddenOptions: [CommandOption] = [],
    sections: @escaping @Sendable (inout ManualPage) -> Void
  ) {
    self.name = name
    self.version = version
    self.synopsis = synopsis
    self.summary = summary
    self.introduction = introduction
    self.description = description
    self.options = options + Self.commonOptions
    self.hiddenOptions = hiddenOptions
    self.sections = sections
  }

  private static let commonOptions = [
    CommandOption("manual", "print the manual page, for man(1)"),
    CommandOption(
      "completions", argument: OptionCompletions.shells.joined(separator: "|"), "print a shell completion script"),
    CommandOption("version", "print the version"),
    CommandOption("help", letter: "h", "print this"),
  ]

  package func parse(_ arguments: [String]) throws(StartFailure) -> ParsedArguments {
    do throws(UsageError) {
      let parsed = try OptionParser.parse(arguments, options + hiddenOptions)
      if let operand = parsed.operands.first { throw UsageError("unexpected argument \(operand)") }
      return parsed
    } catch { throw failure(error) }
  }

  /// Returns the failure of a start with an invalid command line.
  package func failure(_ error: UsageError) -> StartFailure {
    StartFailure("\(error); see \(name) --help", status: EX_USAGE)
  }

  /// Prints what the options that each program has ask for.
  ///
  /// - Returns: The exit status; `nil` if there is none of these options.
  package func answer(_ arguments: ParsedArguments) throws(StartFailure) -> Int32? {
    if arguments.has("help") { return Self.print(WrappedText.text(help, width: Terminal.size?.columns)) }
    if arguments.has("version") { return Self.print("\(name) \(version)\n") }
    if arguments.has("manual") { return Self.print(manual.text) }
    return try arguments.argument(of: "completions").map { shell throws(StartFailure) in
      Self.print(try completions(for: shell))
    }
  }

  /// Prints a text, and returns the exit status of a program that does only that.
  package static func print(_ text: String) -> Int32 {
    (try? Transfer(StandardStream.output.rawValue).writeAll(text)) == nil ? EX_IOERR : EX_OK
  }

  /// Reports the reason that the program did not start: as plain text on standard error, or with an error's priority to
  /// the system journal.
  package func report(_ failure: StartFailure) {
    if let journal = Log.journal(identifier: name) { return journal.error(failure.message) }
    try? Transfer(StandardStream.error.rawValue).writeAll("\(name): \(failure.message)\n")
  }

  private var help: String {
    """
    Usage: \(synopsis)

    \(introduction)

    \(CommandOption.help(options))

    """
  }

  private var manual: ManualPage {
    var page = ManualPage(name, section: 8, summary)
    page.section("SYNOPSIS")
    page.paragraph(synopsis)
    page.section("DESCRIPTION")
    page.paragraph(description)
    page.section("OPTIONS")
    page.items(options.map { ($0.usage, $0.meaning) })
    sections(&page)
    return page
  }

  private func completions(for shell: String) throws(StartFailure) -> String {
    if let script = OptionCompletions(name, options).script(for: shell) { return script }
    let shells = OptionCompletions.shells.joined(separator: ", ")
    throw StartFailure("unsupported shell \(shell); supported: \(shells)", status: EX_USAGE)
  }
}
