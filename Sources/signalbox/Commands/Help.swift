extension Command {
  static let help = Command(
    name: "help", operands: "[COMMAND]", kinds: [.command], summary: "show help for all commands, or for one",
    isOffline: true,
    examples: [Example("signalbox help subscribe", "the same as signalbox subscribe --help")]
  ) { invocation throws(CommandError) in
    guard let name = try invocation.operands(0...1).first else {
      return invocation.output.text(HelpText.overview(commands, width: invocation.output.width))
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      throw .usage("unknown command \(name); see signalbox help")
    }
    invocation.output.text(HelpText.of(command, width: invocation.output.width))
  }
}
