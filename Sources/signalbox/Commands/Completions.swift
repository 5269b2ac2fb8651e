extension Command {
  static let completions = Command(
    name: "completions", operands: "bash|zsh|fish", kinds: [.word(Shell.allCases.map(\.rawValue))],
    summary: "print what completes command lines in a shell",
    details: """
      An installed signalbox brings them along; this is for one that was only copied. Names of signals and actions are
      asked of the daemon.
      """,
    isOffline: true,
    examples: [
      Example("source <(signalbox completions bash)", "in ~/.bashrc"),
      Example("signalbox completions zsh > ~/.zfunc/_signalbox", "in a folder of $fpath"),
      Example("signalbox completions fish > ~/.config/fish/completions/signalbox.fish", "for fish"),
    ]
  ) { invocation throws(CommandError) in
    let name = try invocation.operands(1...1)[0]
    guard let shell = Shell(rawValue: name) else {
      throw .usage(
        "completions are there for \(Shell.allCases.map(\.rawValue).joined(separator: ", ")), not for \(name)")
    }
    invocation.output.text(shell.completions(of: commands))
  }
}
