internal import Signals

/// Sends on their way to the owner of a log, in their order, with the process that forwards them.
///
/// Earlier versions sent one at a time. An owner of theirs ignores what follows the first, and answers it alone; a link
/// sends more than one only to an owner that has answered with a list.
package struct OwnerRequest: Equatable {
  package let node: String
  package let boot: String
  /// At least one send.
  package let sends: [ForwardedSend]
  /// True if the node takes an `AnswerList`.
  package let takesList: Bool

  package init(node: String, boot: String, sends: [ForwardedSend], takesList: Bool = true) {
    (self.node, self.boot, self.sends, self.takesList) = (node, boot, sends, takesList)
  }

  package var bytes: [UInt8] {
    var encoder = StateEncoder()
    encoder.text(node)
    encoder.text(boot)
    for (place, send) in sends.enumerated() {
      encoder.blob(send.bytes)
      if place == 0, takesList { encoder.count(sends.count - 1) }
    }
    return encoder.bytes
  }

  package init?(_ bytes: [UInt8]) {
    var decoder = StateDecoder(bytes)
    do throws(StateError) {
      (node, boot) = (try decoder.text(), try decoder.text())
      var sends: [ForwardedSend] = []
      guard let first = ForwardedSend(Array(try decoder.blob())) else { return nil }
      sends.append(first)
      takesList = !decoder.isAtEnd
      let others = takesList ? try decoder.count() : 0
      for _ in 0..<others {
        guard let send = ForwardedSend(Array(try decoder.blob())) else { return nil }
        sends.append(send)
      }
      self.sends = sends
    } catch { return nil }
  }
}
