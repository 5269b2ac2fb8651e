import Foundation
import TestSupport
import Testing

/// First files.
struct InitTests {
  @Test func `a first file is valid, tested and formatted, and is not overwritten`() throws {
    let folder = TemporaryFolder()
    let path = folder("a/b") + "/signalbox.yaml"
    let result = try Client.run("init", folder("a/b"))
    #expect(result.status == 0)
    #expect(result.output == "wrote \(path); next: signalbox dev \(path)\n")
    let test = try Client.run("test", path, environment: ["XDG_RUNTIME_DIR": folder("")])
    #expect(test.status == 0 && test.errors.isEmpty && test.output.hasSuffix("2 tests passed\n"))
    try "mine".write(toFile: path, atomically: false, encoding: .utf8)
    let again = try Client.run("init", folder("a/b"))
    #expect(again.status == 73)
    #expect(again.errors.contains("\(path) exists already"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func `a file of the cookbook is copied by its name`() throws {
    let folder = TemporaryFolder()
    #expect(try Client.run("init", "--from", "heating", folder("")).status == 0)
    let copy = try String(contentsOfFile: folder("heating.yaml"), encoding: .utf8)
    #expect(copy == (try String(contentsOfFile: Committed.path("docs/cookbook/heating.yaml"), encoding: .utf8)))
    let unknown = try Client.run("init", "--from", "heatng", folder(""))
    #expect(unknown.status == 64)
    #expect(unknown.errors.hasPrefix("signalbox: no file heatng in the cookbook; did you mean heating?\n"))
    #expect(unknown.errors.contains("hysteresis "))
  }
}
