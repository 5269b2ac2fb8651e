import Foundation
import TestSupport
import Testing

/// The pictures of the README, generated from its graph.
struct PictureTests {
  @Test func `they show what the programs do`() throws {
    let programs = Client.program.deletingLastPathComponent().path
    let arguments = (ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" ? [] : ["--check"]) + [programs]
    let result = try Client.run(program: Committed.path("scripts/pictures"), arguments)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
