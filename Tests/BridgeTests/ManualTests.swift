import Foundation
import TestSupport
import Testing

/// The manual page, the completions and the version of the program, as it prints them.
@Suite struct ManualTests {
  private func run(_ arguments: String...) throws -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = BuiltProgram.file(named: "signalbox-bridge")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test func `the committed page is what the bridge prints`() throws {
    let printed = try run("--manual").output
    #expect(printed.hasPrefix(".TH \"SIGNALBOX\\-BRIDGE\" \"8\""))
    try Committed.expect(printed, at: "share/man/man8/signalbox-bridge.8")
  }

  @Test(arguments: [
    ("bash", "share/bash-completion/completions/signalbox-bridge"),
    ("zsh", "share/zsh/site-functions/_signalbox-bridge"),
    ("fish", "share/fish/vendor_completions.d/signalbox-bridge.fish"),
  ])
  func `the committed completions are what the options declare`(shell: String, path: String) throws {
    try Committed.expect(try run("--completions", shell).output, at: path)
  }

  @Test func `a command line that makes no sense ends with 64`() throws {
    for arguments in [["--what"], ["x"], ["--socket"], ["--completions", "tcsh"]] {
      let process = Process()
      process.executableURL = BuiltProgram.file(named: "signalbox-bridge")
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 64)
    }
  }

  @Test func `it prints its version and its options`() throws {
    #expect(try run("--version").output.hasPrefix("signalbox-bridge 1."))
    #expect(try run("--help").output.contains("--check"))
    #expect(try run("--help").status == 0)
  }
}
