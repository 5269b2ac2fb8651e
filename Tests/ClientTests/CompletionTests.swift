import Foundation
import TestSupport
import Testing

/// The completions of the shells, by the scripts that the client prints.
struct CompletionTests {
  @Test(arguments: [
    ("bash", "share/bash-completion/completions/signalbox"), ("zsh", "share/zsh/site-functions/_signalbox"),
    ("fish", "share/fish/vendor_completions.d/signalbox.fish"),
  ])
  func `the committed completions are what the commands declare`(shell: String, path: String) throws {
    let printed = try Client.run("completions", shell).output
    #expect(!printed.isEmpty)
    try Committed.expect(printed, at: path)
  }

  @Test(arguments: [
    ("bash", "share/bash-completion/completions/signalboxd"), ("zsh", "share/zsh/site-functions/_signalboxd"),
    ("fish", "share/fish/vendor_completions.d/signalboxd.fish"),
  ])
  func `the daemon's completions are committed, too`(shell: String, path: String) throws {
    let printed = try Client.run(program: Client.path + "d", ["--completions", shell]).output
    #expect(!printed.isEmpty)
    try Committed.expect(printed, at: path)
    #expect(try Client.run(program: Client.path + "d", ["--completions", "tcsh"]).status == 64)
  }

  @Test(arguments: [
    ("bash", "share/bash-completion/completions/signalbox-http"), ("zsh", "share/zsh/site-functions/_signalbox-http"),
    ("fish", "share/fish/vendor_completions.d/signalbox-http.fish"),
  ])
  func `the gateway's completions are committed, too`(shell: String, path: String) throws {
    let program = BuiltProgram.file(named: "signalbox-http").path
    try Committed.expect(try Client.run(program: program, ["--completions", shell]).output, at: path)
  }

  @Test func `bash completes the daemon's options and their paths`() throws {
    let file = try TemporaryFile("")
    let script = try Client.run(program: Client.path + "d", ["--completions", "bash"]).output
    func completions(_ words: String...) throws -> [String] {
      let line = words.map { "'\($0)'" }.joined(separator: " ")
      let text =
        "\(script)\nCOMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1)\n_signalboxd\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
      let result = try Client.run(program: "/bin/bash", ["--norc", "-s"], input: text)
      #expect(result.errors.isEmpty)
      return result.output.split(separator: "\n").map(String.init)
    }
    #expect(try completions("signalboxd", "--c") == ["--config", "--check", "--completions"])
    #expect(try completions("signalboxd", "--completions", "") == ["bash", "zsh", "fish"])
    #expect(try completions("signalboxd", "--completions", "=", "z") == ["zsh"])
    #expect(try completions("signalboxd", "-c", String(file.path.dropLast(2))) == [file.path])
  }

  @Test func `a shell without completions is refused`() throws {
    let result = try Client.run("completions", "tcsh")
    #expect(result.status == 64)
    #expect(result.errors == "signalbox: unsupported shell tcsh; supported: bash, zsh, fish\n")
  }

  @Test func `bash takes the script and names the function`() throws {
    #expect(try Self.bash("complete -p signalbox") == "complete -F _signalbox signalbox\n")
  }

  /// The words of a line, ending in the one to be completed, and bash's candidates.
  @Test(arguments: [
    (["signalbox", "sub"], ["subscribe"]), (["signalbox", "--vers"], ["--version"]),
    (["signalbox", "subscribe", "--ov"], ["--overflow"]), (["signalbox", "graph", "--format", "s"], ["svg"]),
    (["signalbox", "graph", "--format", "=", "m"], ["mermaid"]),
    (["signalbox", "graph", "-f", ""], ["dot", "mermaid", "svg", "text"]),
    (["signalbox", "-s", "get", "send", "--ev"], ["--event"]), (["signalbox", "operators", "debou"], ["debounce"]),
    (["signalbox", "help", "rel"], ["reload"]), (["signalbox", "send", "--code", ""], []),
    (["signalbox", "completions", "z"], ["zsh"]), (["signalbox", "get", ""], []),
  ])
  func `bash completes commands, options and their arguments`(words: [String], expected: [String]) throws {
    #expect(try Self.completions(of: words).sorted() == expected)
  }

  @Test func `bash completes the names of files`() throws {
    let file = try TemporaryFile("")
    #expect(try Self.completions(of: ["signalbox", "check", String(file.path.dropLast(2))]) == [file.path])
    let text = try TemporaryFile("", suffix: ".txt")
    #expect(try Self.completions(of: ["signalbox", "check", String(text.path.dropLast(2))]).isEmpty)
    #expect(try Self.completions(of: ["signalbox", "graph", "-o", String(text.path.dropLast(2))]) == [text.path])
    #expect(try Self.completions(of: ["signalbox", "test", "--junit", String(file.path.dropLast(2))]) == [file.path])
  }

  /// A daemon's list: name, kind, rights, value, ending.
  private static let list = [
    "lights.lamp.values\taction\tsubscribe\t-\t-\t", "lights.lamp.errors\taction\tsubscribe\t-\t-\t",
    "lights.limit\tproperty\tsend,subscribe\theld\t-\tHow bright", "lights.button\tinput\tsend\t-\t-\t",
    "doors.open\tderived\tsubscribe\t-\tfailed: timeout\t",
  ]
  /// A line and its completions.
  private static let fitting = [
    (["get"], ["doors.open", "lights.lamp.errors", "lights.lamp.values", "lights.limit"]),
    (["send"], ["lights.button", "lights.limit"]), (["send", "lights.limit"], []), (["call"], ["lights.lamp"]),
    (["call", "lights.lamp"], []), (["restart"], ["doors", "doors.open"]), (["graph", "--only"], ["doors", "lights"]),
    (
      ["subscribe", "-f", "lights.limit", "--take", "3"],
      ["doors.open", "lights.lamp.errors", "lights.lamp.values", "lights.limit"]
    ),
    (
      ["describe"],
      ["doors", "doors.open", "lights", "lights.button", "lights.lamp.errors", "lights.lamp.values", "lights.limit"]
    ),
  ]

  @Test(arguments: fitting) func `bash asks the daemon for the names that fit`(words: [String], expected: [String])
    throws
  {
    let lines = Self.list.map { "printf '%b\\n' '\($0)'" }.joined(separator: "; ")
    let fake = "signalbox() { [[ $* == '--socket /s list' ]] && { \(lines); }; }"
    let line = ["signalbox", "--socket", "/s"] + words + [""]
    #expect(try Self.completions(of: line, after: fake).sorted() == expected)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")), arguments: fitting)
  func `fish asks the daemon for the names that fit`(words: [String], expected: [String]) throws {
    let completions = try Client.run("completions", "fish").output
    let lines = Self.list.map { "printf '%b\\n' '\($0)'" }.joined(separator: "\n  ")
    let script = """
      function signalbox
        test "$argv" = '--socket /s list'; or return
        \(lines)
      end
      \(completions)
      complete -C 'signalbox --socket /s \(words.joined(separator: " ")) '
      """
    let result = try Client.run(program: "/usr/bin/fish", ["--no-config", "-c", script])
    #expect(result.errors.isEmpty)
    // A tab separates each word from its description.
    #expect(result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.sorted() == expected)
  }

  private static func completions(of words: [String], after preparation: String = "") throws -> [String] {
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(preparation)
      COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1)
      _signalbox
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    return try bash(script).split(separator: "\n").map(String.init)
  }

  /// Returns the output of bash with the client's completions loaded.
  private static func bash(_ script: String) throws -> String {
    let completions = try Client.run("completions", "bash").output
    let folder = Client.program.deletingLastPathComponent().path
    let text = "PATH=\(folder):$PATH SIGNALBOX_SOCKET=/nonexistent\n\(completions)\n\(script)\n"
    let result = try Client.run(program: "/bin/bash", ["--norc", "-s"], input: text)
    #expect(result.errors.isEmpty)
    return result.output
  }
}
