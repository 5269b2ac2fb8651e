/// The completion script for bash: three tables of possible words, and a function that uses them.
struct BashCompletions {
  let commands: [Command]

  var script: String {
    """
    # Completion of signalbox for bash, as `signalbox completions bash` prints it.
    # shellcheck shell=bash

    # What the argument of the option $2 of the command $1 can be; fails if the option takes none.
    _signalbox_argument() {
      case $1:$2 in
    \(arguments)
        *) return 1 ;;
      esac
    }

    # The options of the command $1.
    _signalbox_options() {
      case $1 in
    \(options)
      esac
    }

    # What operand $2 of the command $1 can be, counted from 0.
    _signalbox_operand() {
      case $1:$2 in
        :*) echo words \(commands.map(\.name).joined(separator: " ")) ;;
    \(operands)
      esac
    }

    \(Self.engine)

    """
  }

  private var arguments: String {
    let common = Command.commonOptions.compactMap { Self.argument(of: $0, command: "*") }
    let own = commands.flatMap { command in command.options.compactMap { Self.argument(of: $0, command: command.name) }
    }
    return (common + own).map { "    \($0) ;;" }.joined(separator: "\n")
  }

  private static func argument(of option: Command.Option, command: String) -> String? {
    guard option.argument != nil else { return nil }
    let spellings = [option.letter.map { "-\($0)" }, "--\(option.name)"].compactMap { $0 }
    return "\(spellings.map { "\(command):\($0)" }.joined(separator: " | "))) echo \(word(for: option.kind))"
  }

  private var options: String {
    func names(_ options: [Command.Option]) -> String { options.map { "--\($0.name)" }.joined(separator: " ") }
    let own = commands.map { "    \($0.name)) echo \(names($0.shownOptions)) ;;" }
    return (own + ["    *) echo \(names(Program.options)) ;;"]).joined(separator: "\n")
  }

  private var operands: String {
    commands.flatMap { command in
      command.kinds.enumerated().map { index, kind in
        let position = index == command.kinds.count - 1 ? "*" : "\(index)"
        return "    \(command.name):\(position)) echo \(Self.word(for: kind)) ;;"
      }
    }.joined(separator: "\n")
  }

  private static func word(for kind: OperandKind) -> String {
    switch kind {
    case .anything: "anything"
    case .file: "file"
    case .word(let words): "words \(words.joined(separator: " "))"
    case .configuration: "configuration"
    case .listed(let listed): "listed \(listed.rawValue)"
    case .command: "command"
    case .operator: "operator"
    }
  }

  private static let listed = OperandKind.Listed.allCases.map { "    \($0)) echo \(Shell.quoted($0.program)) ;;" }
    .joined(separator: "\n")

  private static let engine = #"""
    # What prints the names of a kind, with awk from the daemon's list of signals.
    _signalbox_listed() {
      case $1 in
    \#(listed)
      esac
    }

    # The words for what was found in a table, one a line.
    # shellcheck disable=SC2046 # a table's answer is several words
    _signalbox_words() {
      case $1 in
        words) printf '%s\n' "${@:2}" ;;
        command) _signalbox_words $(_signalbox_operand '' 0) ;;
        listed) signalbox ${socket:+--socket "$socket"} list 2>/dev/null | awk -F '\t' "$(_signalbox_listed "$2")" ;;
        operator) signalbox operators 2>/dev/null | cut -f1 ;;
      esac
    }

    _signalbox() {
      local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
      local command='' socket='' position=0 index current kind ending
      # Bash takes --name=value for three words.
      if [[ $word == = ]]; then word=''; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
      for ((index = 1; index < COMP_CWORD; index++)); do
        current=${COMP_WORDS[index]}
        if _signalbox_argument "$command" "$current" >/dev/null; then
          [[ ${COMP_WORDS[index + 1]} == = ]] && ((index++))
          ((index++))
          if [[ $current == -s || $current == --socket ]]; then socket=${COMP_WORDS[index]}; fi
        elif [[ $current != -* ]]; then
          if [[ -z $command ]]; then command=$current; else ((position++)); fi
        fi
      done
      if ! kind=$(_signalbox_argument "$command" "$previous"); then
        if [[ $word == -* ]]; then
          kind="words $(_signalbox_options "$command")"
        else
          kind=$(_signalbox_operand "$command" "$position")
        fi
      fi
      if [[ $kind == file ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      elif [[ $kind == configuration ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(
          compgen -d -- "$word"
          for ending in yaml yml json; do compgen -f -X "!*.$ending" -- "$word"; done
        )
      else
        # shellcheck disable=SC2086 # the kind is a word, and words behind it
        mapfile -t COMPREPLY < <(compgen -W "$(_signalbox_words $kind)" -- "$word")
      fi
    }

    complete -F _signalbox signalbox
    """#
}
