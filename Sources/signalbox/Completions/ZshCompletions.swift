/// The script for zsh, in the words of its `_arguments`.
struct ZshCompletions {
  let commands: [Command]

  var script: String {
    """
    #compdef signalbox
    # Completion of signalbox for zsh, as `signalbox completions zsh` prints it.

    _signalbox_list() {
      signalbox ${opt_args[--socket]:+--socket} ${opt_args[--socket]} list 2>/dev/null
    }

    _signalbox_signals() {
      local -a words=(${(f)"$(_signalbox_list | cut -f1)"})
      compadd -a words
    }

    _signalbox_actions() {
      local -a words=(${(f)"$(_signalbox_list | \(Shell.actions))"})
      compadd -a words
    }

    _signalbox_operators() {
      local -a words=(${(f)"$(signalbox operators 2>/dev/null | cut -f1)"})
      compadd -a words
    }

    _signalbox_commands() {
      local -a commands=(
    \(summaries)
      )
      _describe command commands
    }

    _signalbox() {
      local curcontext=$curcontext state line
      typeset -A opt_args
      local -a common=(
    \(Self.lines(Command.commonOptions.map(Self.option), indentation: 4))
      )
      _arguments -C $common '(-V --version)'{-V,--version}'[print the version]' \\
        '1:command:_signalbox_commands' '*::argument:->arguments'
      [[ $state == arguments ]] || return
      case $words[1] in
    \(commands.map(Self.arguments).joined(separator: "\n"))
      esac
    }

    _signalbox "$@"

    """
  }

  private var summaries: String {
    Self.lines(commands.map { Shell.quoted("\($0.name):\($0.summary)") }, indentation: 4)
  }

  private static func arguments(_ command: Command) -> String {
    let operands = command.kinds.enumerated().map { index, kind in
      let position = index == command.kinds.count - 1 ? "*" : "\(index + 1)"
      return Shell.quoted("\(position):\(name(of: kind)):\(action(for: kind))")
    }
    let help = Command.commonOptions.filter { command.isOffline && $0.name == "help" }
    let specifications = (command.options + help).map(option) + operands
    let rest = specifications.map { " \\\n        \($0)" }.joined()
    return "    \(command.name))\n      _arguments\(command.isOffline ? "" : " $common")\(rest) ;;"
  }

  private static func option(_ option: Command.Option) -> String {
    let meaning = "[\(escaped(option.doc))]"
    let argument = option.argument.map { ":\($0):\(action(for: option.kind))" } ?? ""
    guard let letter = option.letter else { return Shell.quoted("--\(option.name)\(meaning)\(argument)") }
    return "'(-\(letter) --\(option.name))'{-\(letter),--\(option.name)}\(Shell.quoted(meaning + argument))"
  }

  private static func action(for kind: OperandKind) -> String {
    switch kind {
    case .anything: " "
    case .file: "_files"
    case .word(let words): "(\(words.joined(separator: " ")))"
    case .signal: "_signalbox_signals"
    case .action: "_signalbox_actions"
    case .command: "_signalbox_commands"
    case .operator: "_signalbox_operators"
    }
  }

  private static func name(of kind: OperandKind) -> String {
    switch kind {
    case .anything: "value"
    case .file: "file"
    case .word: "word"
    case .signal: "signal"
    case .action: "action"
    case .command: "command"
    case .operator: "operator"
    }
  }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
  }

  private static func lines(_ lines: [String], indentation: Int) -> String {
    lines.map { String(repeating: " ", count: indentation) + $0 }.joined(separator: "\n")
  }
}
