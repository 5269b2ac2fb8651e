import Foundation
import Testing

/// What the shells complete, by the scripts that the client prints.
struct CompletionTests {
  @Test(arguments: [
    ("bash", "share/bash-completion/completions/signalbox"), ("zsh", "share/zsh/site-functions/_signalbox"),
    ("fish", "share/fish/vendor_completions.d/signalbox.fish"),
  ])
  func `the committed completions are what the commands declare`(shell: String, path: String) throws {
    let printed = try Client.run("completions", shell).output
    #expect(!printed.isEmpty)
    #expect(try Committed.text(of: path, printed: printed) == printed, "UPDATE_SNAPSHOTS=1 swift test writes it anew")
  }

  @Test func `a shell without completions is refused`() throws {
    let result = try Client.run("completions", "tcsh")
    #expect(result.status == 64)
    #expect(result.errors == "signalbox: completions are there for bash, zsh, fish, not for tcsh\n")
  }

  @Test func `bash takes the script and names the function`() throws {
    #expect(try Self.bash("complete -p signalbox") == "complete -F _signalbox signalbox\n")
  }

  /// The words of a line, the last of which is to be completed, and what bash offers.
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
    #expect(try Self.completions(of: ["signalbox", "test", "--junit", String(file.path.dropLast(2))]) == [file.path])
  }

  @Test func `bash asks the daemon for the names of signals and actions`() throws {
    let list = "lights.lamp.values\\taction\\nlights.lamp.errors\\taction\\nlights.limit\\tproperty\\n"
    let fake = "signalbox() { [[ $* == '--socket /s list' ]] && printf '\(list)'; }"
    let line = ["signalbox", "--socket", "/s"]
    #expect(try Self.completions(of: line + ["get", "lights.li"], after: fake) == ["lights.limit"])
    #expect(try Self.completions(of: line + ["call", "li"], after: fake) == ["lights.lamp"])
    #expect(try Self.completions(of: line + ["call", "lights.lamp", ""], after: fake) == [])
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

  /// What bash prints after it read the client's completions.
  private static func bash(_ script: String) throws -> String {
    let completions = try Client.run("completions", "bash").output
    let folder = Client.program.deletingLastPathComponent().path
    let text = "PATH=\(folder):$PATH SIGNALBOX_SOCKET=/nonexistent\n\(completions)\n\(script)\n"
    let result = try Client.run(program: "/bin/bash", ["--norc", "-s"], input: text)
    #expect(result.errors.isEmpty)
    return result.output
  }
}
