import Linux
import Signals

/// The file of a handover: the last bytes for each client, in case the new process cannot resume, and then the state,
/// in a versioned form.
///
/// The first part has the same form in all versions, so that clients never end up with half a line, even after a
/// process of the wrong version.
package struct HandoverFile {
  /// The version of the state that this program writes, and the oldest that it reads.
  package static let version: UInt8 = 1
  package static let oldestVersion: UInt8 = 1

  private static let head = Array("signalbox handover\n".utf8)

  /// The last bytes for each client, in the order of their descriptors.
  let farewells: [[UInt8]]
  let version: UInt8
  let state: [UInt8]

  init(farewells: [[UInt8]], state: [UInt8], version: UInt8 = HandoverFile.version) {
    self.farewells = farewells
    self.version = version
    self.state = state
  }

  var bytes: [UInt8] {
    var writer = StateEncoder()
    writer.append(Self.head[...])
    writer.count(farewells.count)
    for farewell in farewells { writer.blob(farewell) }
    writer.byte(version)
    writer.blob(state)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(StateError) {
    guard bytes.starts(with: Self.head) else { throw StateError("not a handover file of signalboxd") }
    var reader = StateDecoder(bytes[Self.head.count...])
    var farewells: [[UInt8]] = []
    for _ in 0..<(try reader.count()) { farewells.append(Array(try reader.blob())) }
    self.farewells = farewells
    version = try reader.byte()
    state = Array(try reader.blob())
    if !reader.isAtEnd { throw StateError("unexpected data after the end") }
  }

  /// Indicates that this program can resume from a state of a version.
  package static func reads(version: UInt8) -> Bool { (oldestVersion...Self.version).contains(version) }
}
