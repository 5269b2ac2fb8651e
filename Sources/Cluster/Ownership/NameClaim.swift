internal import Signals

/// The word of a process that has heard another one under its name: the one that runs longer keeps the name.
///
/// It is published as another version of a heartbeat: programs that do not know it ignore it.
package struct NameClaim: Equatable, Sendable {
  package let node: String
  package let boot: String
  /// The time for which the process has run, in microseconds.
  package let age: Int64

  private static let version: UInt8 = 2

  package init(node: String, boot: String, age: Int64) { (self.node, self.boot, self.age) = (node, boot, age) }

  package var bytes: [UInt8] {
    var encoder = StateEncoder()
    encoder.byte(Self.version)
    encoder.text(node)
    encoder.text(boot)
    encoder.signed(age)
    return encoder.bytes
  }

  package init?(_ bytes: [UInt8]) {
    var decoder = StateDecoder(bytes)
    do throws(StateError) {
      guard try decoder.byte() == Self.version else { return nil }
      (node, boot, age) = (try decoder.text(), try decoder.text(), try decoder.signed())
    } catch { return nil }
  }
}
