internal import Base
internal import Glibc
internal import Linux
internal import WireProtocol

/// The program: finds the command, runs it, and returns its exit status.
struct Program {
  let commands: [Command]
  private let output = Output()

  init(commands: [Command]) { self.commands = commands }

  func run(_ arguments: [String]) -> ExitStatus {
    do throws(CommandError) {
      try runCommand(arguments)
      try output.flush()
      return .ok
    } catch {
      // The output so far is useful in spite of the failure.
      try? output.flush()
      if let message = error.message { printError("signalbox: \(message)") }
      for line in error.excerpt { printError("  \(line)", wraps: false) }
      return error.status
    }
  }

  private func runCommand(_ arguments: [String]) throws(CommandError) {
    output.isTerminal = StandardStream.output.isTerminal
    let first = try parse(arguments, Self.options, stopsAtOperand: true)
    if first.has("version") { return output.line("signalbox \(programVersionText)") }
    guard let name = first.operands.first else {
      if first.has("help") { return output.text(HelpText.overview(commands, width: output.width)) }
      throw .usage("missing command; see signalbox --help")
    }
    let command = try command(named: name)
    let before = Array(arguments.dropLast(first.operands.count))
    let rest = try parse(before + first.operands.dropFirst(), command.allOptions)
    if rest.has("help") { return output.text(HelpText.of(command, width: output.width)) }
    output.isForPeople = output.isTerminal && !rest.has("json")
    let color = try colorChoice(rest)
    if !rest.has("json") { output.palette = color.palette(for: .output) }
    output.errorPalette = color.palette(for: .error)
    // The evaluation of graphs recurses for each dependent signal.
    CurrentProcess.raiseStackLimit()
    try command.run(Invocation(command: command, arguments: rest, output: output))
  }

  private func colorChoice(_ arguments: ParsedArguments) throws(CommandError) -> ColorChoice {
    guard let text = arguments.argument(of: "color") else { return .auto }
    if let choice = ColorChoice(rawValue: text) { return choice }
    throw .usage("--color must be auto, always or never, not \(text)")
  }

  static let options =
    Command.commonOptions + [Command.Option(name: "version", letter: "V", doc: "print the version")]

  private func command(named name: String) throws(CommandError) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let hint = Suggestion.likely(for: name, among: commands.map(\.name)).map { "did you mean \($0)?" }
    throw .usage("unknown command \(name); \(hint ?? "see signalbox --help")")
  }

  private func parse(
    _ arguments: [String], _ options: [Command.Option], stopsAtOperand: Bool = false
  ) throws(CommandError) -> ParsedArguments {
    do throws(UsageError) {
      return try OptionParser.parse(
        arguments, options.map(\.option), stopsAtOperand: stopsAtOperand, takesNumbers: true)
    } catch {
      let word = error.description.split(separator: " ").last { $0.hasPrefix("--") }?.dropFirst(2)
      let names = options.map(\.name)
      // A known option that lacks its argument, or has one too many, needs no suggestion.
      let unknown = word.flatMap { word in names.contains { $0 == word } ? nil : String(word) }
      let hint = unknown.flatMap { Suggestion.likely(for: $0, among: names) }
      throw .usage(hint.map { "\(error); did you mean --\($0)?" } ?? "\(error)")
    }
  }
}
