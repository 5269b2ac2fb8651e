internal import ReactiveCore

/// A send on its way to the owner of a log, with the process that forwards it.
package struct OwnerRequest {
  package let node: String
  package let boot: String
  package let send: ForwardedSend

  package init(node: String, boot: String, send: ForwardedSend) {
    (self.node, self.boot, self.send) = (node, boot, send)
  }

  package var bytes: [UInt8] {
    var encoder = StateEncoder()
    encoder.text(node)
    encoder.text(boot)
    encoder.blob(send.bytes)
    return encoder.bytes
  }

  package init?(_ bytes: [UInt8]) {
    var decoder = StateDecoder(bytes)
    do throws(StateError) {
      (node, boot) = (try decoder.text(), try decoder.text())
      guard let send = ForwardedSend(Array(try decoder.blob())) else { return nil }
      self.send = send
    } catch { return nil }
  }
}
