/// Shell completion scripts for a program that takes only options.
package struct OptionCompletions {
  private let program: String
  private let options: [CommandOption]

  package init(_ program: String, _ options: [CommandOption]) {
    self.program = program
    self.options = options
  }

  /// The supported shells.
  package static let shells = ["bash", "zsh", "fish"]

  /// - Returns: `nil` for another shell.
  package func script(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  /// Returns the possible arguments; `nil` for a path.
  private static func words(of option: CommandOption) -> [String]? {
    option.argument.flatMap { $0 == "PATH" ? nil : $0.split(separator: "|").map(String.init) }
  }

  private static func spellings(_ option: CommandOption) -> [String] {
    [option.letter.map { "-\($0)" }, "--\(option.name)"].compactMap(\.self)
  }

  private var bash: String {
    let arguments = options.filter(\.takesArgument).map { option in
      let action =
        Self.words(of: option).map {
          "mapfile -t COMPREPLY < <(compgen -W '\($0.joined(separator: " "))' -- \"$word\")"
        }
        ?? "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
      return "    \(Self.spellings(option).joined(separator: " | "))) \(action) ;;"
    }
    let names = options.map { "--\($0.name)" }.joined(separator: " ")
    return """
      # Completion of \(program) for bash, as `\(program) --completions bash` prints it.
      # shellcheck shell=bash

      _\(program)() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
        # Bash takes --name=value for three words.
        if [[ $word == = ]]; then word=''; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
        case $previous in
      \(arguments.joined(separator: "\n"))
          *) mapfile -t COMPREPLY < <(compgen -W '\(names)' -- "$word") ;;
        esac
      }

      complete -F _\(program) \(program)

      """
  }

  private var zsh: String {
    let specifications = options.map { option -> String in
      let action = option.argument.map { argument in
        ":\(argument):\(Self.words(of: option).map { "(\($0.joined(separator: " ")))" } ?? "_files")"
      }
      let text = "[\(Self.escaped(option.meaning))]\(action ?? "")"
      let spellings = Self.spellings(option)
      // The argument may be a separate word or joined to the option.
      let forms = spellings.map { option.takesArgument ? $0 + ($0.hasPrefix("--") ? "=" : "+") : $0 }
      if forms.count == 1 { return "'\(forms[0])\(text)'" }
      return "'(\(spellings.joined(separator: " ")))'{\(forms.joined(separator: ","))}'\(text)'"
    }
    return """
      #compdef \(program)
      # Completion of \(program) for zsh, as `\(program) --completions zsh` prints it.

      _arguments \(specifications.joined(separator: " \\\n  "))

      """
  }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
  }

  private var fish: String {
    let lines = options.map { option in
      let letter = option.letter.map { " -s \($0)" } ?? ""
      let argument =
        option.takesArgument ? Self.words(of: option).map { " -x -a '\($0.joined(separator: " "))'" } ?? " -r -F" : ""
      return "complete -c \(program)\(letter) -l \(option.name)\(argument) -d '\(option.meaning)'"
    }
    return """
      # Completion of \(program) for fish, as `\(program) --completions fish` prints it.

      complete -c \(program) -f
      \(lines.joined(separator: "\n"))

      """
  }
}
