/// The completion script for fish: one `complete` for each possible word.
struct FishCompletions {
  let commands: [Command]

  var script: String {
    let lines =
      [head] + Command.commonOptions.map { line([], $0) }
      + [#"complete -c signalbox -n __fish_use_subcommand -s V -l version -d 'print the version'"#]
      + commands.flatMap(lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private var head: String {
    #"""
    # Completion of signalbox for fish, as `signalbox completions fish` prints it.

    # The names that an awk program finds in the daemon's list of signals.
    function __signalbox_listed
      set -l words (commandline -opc)
      set -l socket
      for index in (seq (count $words))
        switch $words[$index]
          case -s --socket
            set socket --socket $words[(math $index + 1)]
          case '--socket=*'
            set socket $words[$index]
        end
      end
      signalbox $socket list 2>/dev/null | awk -F '\t' $argv[1]
    end

    function __signalbox_operators
      signalbox operators 2>/dev/null | cut -f1
    end

    function __signalbox_configurations
      for path in (__fish_complete_path (commandline -ct))
        string match -rq '(/|\.ya?ml|\.json)(\t|$)' -- $path; and echo $path
      end
    end

    # True if operand $argv[2] of the command $argv[1] is to be completed, or a later one if $argv[3] says so.
    function __signalbox_operand
      set -l command ''
      set -l count 0
      set -l isArgument 0
      for word in (commandline -opc)[2..-1]
        if test $isArgument = 1
          set isArgument 0
        else if contains -- "$command:$word" \#(argumentOptions)
          set isArgument 1
        else if contains -- $word \#(Self.spellings(Command.commonOptions))
          set isArgument 1
        else if not string match -q -- '-*' $word
          test -n "$command"; and set count (math $count + 1); or set command $word
        end
      end
      test "$command" = $argv[1]; or return 1
      test $count = $argv[2]; or test -n "$argv[3]" -a $count -gt $argv[2]
    end

    complete -c signalbox -f
    """#
  }

  /// The options with arguments of each command.
  private var argumentOptions: String {
    commands.flatMap { command in
      command.options.filter { $0.argument != nil }.flatMap { Self.spellings($0) }.map { "\(command.name):\($0)" }
    }.joined(separator: " ")
  }

  private static func spellings(_ option: Command.Option) -> [String] {
    [option.letter.map { "-\($0)" }, "--\(option.name)"].compactMap(\.self)
  }

  private static func spellings(_ options: [Command.Option]) -> String {
    options.filter { $0.argument != nil }.flatMap { spellings($0) }.joined(separator: " ")
  }

  private func lines(_ command: Command) -> [String] {
    let operands = command.kinds.enumerated().filter { $0.element != .anything }.map { index, kind in
      let further = index == command.kinds.count - 1 ? " further" : ""
      let condition = "'__signalbox_operand \(command.name) \(index)\(further)'"
      return "complete -c signalbox -n \(condition) \(words(for: kind))"
    }
    let condition = ["-n", "'__fish_seen_subcommand_from \(command.name)'"]
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
    case .configuration: "-a '(__signalbox_configurations)'"
    case .word(let words): "-a '\(words.joined(separator: " "))'"
    case .listed(let listed): "-a \(Shell.quoted("(__signalbox_listed \(Self.quoted(listed.program)))"))"
    case .command: "-a '\(commands.map(\.name).joined(separator: " "))'"
    case .operator: "-a '(__signalbox_operators)'"
    }
  }

  /// Quotes a program as one word of the inner command, in double quotes.
  private static func quoted(_ program: String) -> String {
    "\"" + program.flatMap { "\\\"$".contains($0) ? ["\\", $0] : [$0] } + "\""
  }
}
