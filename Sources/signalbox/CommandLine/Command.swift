internal import Linux

/// A command: its name, operands, options, effect and examples.
struct Command: Sendable {
  let name: String
  /// The operands after the name: `SIGNAL [VALUE…]`.
  let operands: String
  /// The kind of each operand, for completion; the last one also applies to all further ones.
  var kinds: [OperandKind] = []
  let summary: String
  var details = ""
  var options: [Option] = []
  /// True if it does not use the daemon's socket.
  var isOffline = false
  let examples: [Example]
  let run: @Sendable (Invocation) throws(CommandError) -> Void

  struct Option: Sendable {
    let name: String
    var letter: Character?
    /// The name of its argument, if it has one.
    var argument: String?
    let doc: String
    /// The kind of the argument, for completion.
    var kind = OperandKind.anything

    var option: CommandOption { CommandOption(name, letter: letter, argument: argument, doc) }
  }

  struct Example: Sendable {
    let line: String
    let meaning: String

    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// The options that every command has.
  static let commonOptions = [
    Option(
      name: "socket", letter: "s", argument: "PATH",
      doc: "the daemon's socket (else $SIGNALBOX_SOCKET, else \(SocketPath.ofDaemon))", kind: .file),
    Option(name: "json", letter: "j", doc: "print the daemon's JSON lines unchanged"),
    ColorChoice.option, Option(name: "help", letter: "h", doc: "explain the command"),
  ]

  /// The options that it accepts; an offline command ignores a socket.
  var allOptions: [Option] {
    options + Self.commonOptions.filter { option in !options.contains { $0.name == option.name } }
  }

  /// The options in its help.
  var shownOptions: [Option] {
    options + (isOffline ? Self.commonOptions.filter { ["color", "help"].contains($0.name) } : Self.commonOptions)
  }

  /// Its synopsis: `signalbox get [OPTION…] SIGNAL…`.
  var usage: String { "signalbox \(name) [OPTION…]\(operands.isEmpty ? "" : " \(operands)")" }
}
