/// A shell with completion.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// Returns the completion script, generated from the declarations of the commands.
  func completions(of commands: [Command]) -> String {
    switch self {
    case .bash: BashCompletions(commands: commands).script
    case .zsh: ZshCompletions(commands: commands).script
    case .fish: FishCompletions(commands: commands).script
    }
  }

  /// Quotes a text as one word of a script, in single quotes.
  static func quoted(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
