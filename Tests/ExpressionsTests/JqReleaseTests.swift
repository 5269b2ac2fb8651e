import Foundation
import TestSupport
import Testing

@testable import Expressions

/// The path of a clone of jq's repository, with its tags; its test files are read from there.
private let repository = ProcessInfo.processInfo.environment["JQ_REPOSITORY"]

/// The reference release.
private let release = "jq-1.8.2"

@Suite(.enabled(if: repository != nil, "JQ_REPOSITORY does not say where a clone of github.com/jqlang/jq is"))
struct JqReleaseTests {
  @Test(arguments: ["jq", "onig", "base64", "uri", "optional", "man", "manonig"].map { $0 + ".test" })
  func `a case of jq's own tests passes, or is listed with its reason`(name: String) throws {
    let listed = try ListedExceptions.read()
    let cases = JqCase.read(try text(of: "tests/\(name)"))
    #expect(cases.count > 1)
    for example in cases {
      let place = "\(name):\(example.line)"
      switch (example.failure(), listed.contains(place)) {
      case (nil, true): Issue.record("\(place) is listed but passes: \(example.program)")
      case (let failure?, false): Issue.record("\(place) \(example.program)\n\(failure)")
      default: break
      }
    }
  }

  private func text(of path: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-C", repository ?? ".", "show", "\(release):\(path)"]
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}

/// The places in `JqReleases.md`: the first cell of each row, as `jq.test:12`.
private enum ListedExceptions {
  static func read() throws -> Set<String> {
    let rows = try Committed.lines(of: "Tests/ExpressionsTests/JqReleases.md").filter { $0.contains(".test:") }
    return Set(rows.map { $0.dropFirst(2).prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces) })
  }
}
