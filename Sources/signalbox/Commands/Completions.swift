extension Command {
  static let completions = Command(
    name: "completions", operands: "bash|zsh|fish", kinds: [.word(Shell.allCases.map(\.rawValue))],
    summary: "print a shell completion script",
    details: """
      Packages install the completion scripts; use this for a copied binary. Names of signals and actions are queried
      from the daemon.
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
        "unsupported shell \(name); supported: \(Shell.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    invocation.output.text(shell.completions(of: commands))
  }
}
