/// A shell that can complete command lines.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// A script for the shell, written from the declarations of the commands.
  func completions(of commands: [Command]) -> String {
    switch self {
    case .bash: BashCompletions(commands: commands).script
    case .zsh: ZshCompletions(commands: commands).script
    case .fish: FishCompletions(commands: commands).script
    }
  }

  /// A text as one word of a script: within single quotes.
  static func quoted(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
