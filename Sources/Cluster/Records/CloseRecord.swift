internal import Signals

/// The end of a term in order: the owner gives up, and may name the node that should continue.
package struct CloseRecord: Equatable, Sendable {
  package var successor: String?

  package init(successor: String?) { self.successor = successor }

  var encoded: [UInt8] {
    var encoder = StateEncoder()
    encoder.text(successor ?? "")
    return encoder.bytes
  }

  init(_ bytes: ArraySlice<UInt8>) throws(StateError) {
    var decoder = StateDecoder(bytes)
    let successor = try decoder.text()
    self.successor = successor.isEmpty ? nil : successor
    try decoder.finish()
  }
}
