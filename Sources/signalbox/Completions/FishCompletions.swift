/// The script for fish: one `complete` for each thing that can stand in a line.
struct FishCompletions {
  let commands: [Command]

  var script: String {
    let lines =
      [Self.head] + Command.commonOptions.map { line([], $0) }
      + [#"complete -c signalbox -n __fish_use_subcommand -s V -l version -d 'print the version'"#]
      + commands.flatMap(lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private static let head = """
    # Completion of signalbox for fish, as `signalbox completions fish` prints it.

    function __signalbox_signals
      signalbox list 2>/dev/null | cut -f1
    end

    function __signalbox_actions
      signalbox list 2>/dev/null | \(Shell.actions)
    end

    function __signalbox_operators
      signalbox operators 2>/dev/null | cut -f1
    end

    complete -c signalbox -f
    """

  private func lines(_ command: Command) -> [String] {
    let condition = ["-n", "'__fish_seen_subcommand_from \(command.name)'"]
    let operands = command.kinds.filter { $0 != .anything }.map { kind in
      (["complete -c signalbox"] + condition + [words(for: kind)]).joined(separator: " ")
    }
    return [
      "complete -c signalbox -n __fish_use_subcommand -a \(command.name) -d \(Shell.quoted(command.summary))"
    ] + command.options.map { line(condition, $0) } + operands
  }

  private func line(_ condition: [String], _ option: Command.Option) -> String {
    var words = ["complete -c signalbox"] + condition
    if let letter = option.letter { words.append("-s \(letter)") }
    words.append("-l \(option.name)")
    if option.argument != nil { words += [option.kind == .file ? "-r" : "-x", self.words(for: option.kind)] }
    return (words + ["-d \(Shell.quoted(option.doc))"]).filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func words(for kind: OperandKind) -> String {
    switch kind {
    case .anything: ""
    case .file: "-F"
    case .word(let words): "-a '\(words.joined(separator: " "))'"
    case .signal: "-a '(__signalbox_signals)'"
    case .action: "-a '(__signalbox_actions)'"
    case .command: "-a '\(commands.map(\.name).joined(separator: " "))'"
    case .operator: "-a '(__signalbox_operators)'"
    }
  }
}
