import DiskFaults
import Foundation
import TestSupport
import Testing

@testable import StateLog

@Suite(.enabled(if: Preload.isPossible, "sqlite3 is not installed, or a sanitizer must be loaded first"))
struct `Faulty disks of other programs` {
  private let place = TemporaryFolder()

  /// Runs SQLite's own program with the layer preloaded.
  private func run(_ fault: String, _ sql: String) throws -> Process {
    let program = Process()
    program.executableURL = URL(filePath: Preload.program)
    program.arguments = [place("d.sqlite"), sql]
    program.environment = ["LD_PRELOAD": Preload.library, "FAULTY_DISK": "\(place.path) \(fault)"]
    program.standardError = FileHandle.nullDevice
    try program.run()
    program.waitUntilExit()
    return program
  }

  @Test func `another program is watched, killed and hindered at an operation`() throws {
    #expect(try run("watch 0 \(place("trace"))", "CREATE TABLE t (a)").terminationStatus == 0)
    let operations = DiskTrace(bytes: try #require(Files.read(place("trace")))).operations
    #expect(operations.map(\.file).contains("d.sqlite") && operations.count > 5)

    let killed = try run("kill-after 3 \(place("killed"))", "INSERT INTO t VALUES (1)")
    #expect(killed.terminationReason == .uncaughtSignal && killed.terminationStatus == SIGKILL)
    #expect(DiskTrace(bytes: try #require(Files.read(place("killed")))).operations.count == 3)

    for fault in ["fail 4", "full 3"] {
      let hindered = try run(fault, "INSERT INTO t VALUES (1)")
      #expect(hindered.terminationReason == .exit && hindered.terminationStatus != 0, "\(fault)")
    }
    #expect(try Database(place("d.sqlite"), .write).number("SELECT count(*) FROM t") == 0)
  }
}

private enum Preload {
  static let program = "/usr/bin/sqlite3"

  /// The library that was built beside the tests.
  static let library: String = {
    var folder = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    for candidate in [folder] + CommandLine.arguments {
      folder = candidate
      while let slash = folder.lastIndex(of: "/") {
        folder = String(folder[..<slash])
        if FileManager.default.fileExists(atPath: "\(folder)/libFaultyDisk.so") { return "\(folder)/libFaultyDisk.so" }
      }
    }
    return ""
  }()

  static let isPossible =
    FileManager.default.isExecutableFile(atPath: program) && !library.isEmpty
    && !BuiltProgram.isSanitized
}
