extension Command {
  static let help = Command(
    name: "help", operands: "[COMMAND]", kinds: [.command], summary: "explain the commands, or one of them",
    isOffline: true,
    examples: [Example("signalbox help subscribe", "the same as signalbox subscribe --help")]
  ) { invocation throws(CommandError) in
    guard let name = try invocation.operands(0...1).first else {
      return invocation.output.text(HelpText.overview(commands))
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      throw .usage("no command \(name); signalbox help lists them")
    }
    invocation.output.text(HelpText.of(command))
  }
}
