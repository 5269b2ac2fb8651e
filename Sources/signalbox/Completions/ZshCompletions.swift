/// The completion script for zsh, in the syntax of its `_arguments`.
struct ZshCompletions {
  let commands: [Command]

  var script: String {
    """
    #compdef signalbox
    # Completion of signalbox for zsh, as `signalbox completions zsh` prints it.

    # The names of a kind, from the daemon's list of signals.
    _signalbox_listed() {
      local program
      local -a socket
      local -i index
      for ((index = 1; index < $#typed; index++)); do
        case $typed[index] in
          -s|--socket) socket=(--socket $typed[index+1]) ;;
          --socket=*) socket=($typed[index]) ;;
        esac
      done
      case ${@[-1]} in
    \(Self.listed)
      esac
      local -a words=(${(f)"$(signalbox $socket list 2>/dev/null | awk -F '\\t' $program)"})
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
      # The whole line: _arguments leaves only the part behind the command.
      local -a typed=($words)
      typeset -A opt_args
      local -a common=(
    \(Self.lines(Command.commonOptions.map(Self.option), indentation: 4))
      )
      # Options behind the command are the command's.
      _arguments -C -A '-*' $common '(-V --version)'{-V,--version}'[print the version]' \\
        '1:command:_signalbox_commands' '*::argument:->arguments'
      [[ $state == arguments ]] || return
      case $words[1] in
    \(commands.map(Self.arguments).joined(separator: "\n"))
      esac
    }

    _signalbox "$@"

    """
  }

  private static let listed = OperandKind.Listed.allCases.map { "    \($0)) program=\(Shell.quoted($0.program)) ;;" }
    .joined(separator: "\n")

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
    // The argument may be a separate word or part of the option.
    let (short, long) = option.argument == nil ? ("", "") : ("+", "=")
    guard let letter = option.letter else { return Shell.quoted("--\(option.name)\(long)\(meaning)\(argument)") }
    return "'(-\(letter) --\(option.name))'{-\(letter)\(short),--\(option.name)\(long)}"
      + Shell.quoted(meaning + argument)
  }

  private static func action(for kind: OperandKind) -> String {
    switch kind {
    case .anything: " "
    case .file: "_files"
    case .word(let words): "(\(words.joined(separator: " ")))"
    case .configuration: #"_files -g "*.(yaml|yml|json)""#
    case .listed(let listed): "_signalbox_listed \(listed.rawValue)"
    case .command: "_signalbox_commands"
    case .operator: "_signalbox_operators"
    }
  }

  private static func name(of kind: OperandKind) -> String {
    switch kind {
    case .anything: "value"
    case .file: "file"
    case .word: "word"
    case .configuration: "configuration"
    case .listed(.input): "input"
    case .listed(.action): "action"
    case .listed(.graph): "graph"
    case .listed: "signal"
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
