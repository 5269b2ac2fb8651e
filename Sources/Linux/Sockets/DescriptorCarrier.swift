import CDescriptors
import Glibc

/// Open descriptors on their way from one process to another, queued in a socket of which only the reading end is handed
/// over.
///
/// The service manager keeps that one end: each descriptor more in its store makes every change of it slower. The kernel
/// keeps the messages, so that they are there when their writer has gone. They can be looked at before they are taken out,
/// and one who dies between the two has lost nothing.
package struct DescriptorCarrier: ~Copyable {
  /// The most descriptors that one message takes (`SCM_MAX_FD`).
  package static let most = Int(signalbox_most_descriptors)

  /// The end that is handed over.
  package let reader: OwnedDescriptor

  /// Takes over the end that was handed over.
  package init(_ reader: consuming OwnedDescriptor) { self.reader = reader }

  /// A message and the descriptors that came with it.
  package struct Message: ~Copyable {
    package let bytes: [UInt8]
    fileprivate let descriptors: DescriptorList

    package consuming func takeDescriptors() -> DescriptorList { descriptors }
  }

  /// The end into which the messages are put.
  package struct Writer: ~Copyable {
    private let socket: OwnedDescriptor

    fileprivate init(_ socket: consuming OwnedDescriptor) { self.socket = socket }

    /// Queues a message; it never waits.
    ///
    /// - Parameter descriptors: At most `most`; their owners keep them.
    package borrowing func send(_ bytes: [UInt8], _ descriptors: [Int32]) throws(Errno) {
      let number = socket.number
      let sent = retryingInterrupts {
        signalbox_send_descriptors(number, bytes, bytes.count, descriptors, descriptors.count)
      }
      if sent == -1 { throw .last("sendmsg") }
    }

    /// Whether somebody still holds the other end.
    package borrowing func isHeld() -> Bool {
      (try? socket.transfer.wait(for: [], timeout: .zero))?.contains(.hungUp) == false
    }
  }

  /// A new one, and its writer.
  package static func make() throws(Errno) -> CarrierPair {
    var numbers: (Int32, Int32) = (-1, -1)
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let result = withUnsafeMutableBytes(of: &numbers) {
      socketpair(AF_UNIX, type, 0, $0.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    if result == -1 { throw .last("socketpair") }
    return CarrierPair(
      carrier: DescriptorCarrier(OwnedDescriptor(owning: numbers.1)),
      writer: Writer(OwnedDescriptor(owning: numbers.0)))
  }

  /// Shows every message, and leaves all in place; the descriptors that are shown are copies.
  package borrowing func look(_ see: (consuming Message) -> Void) throws(Errno) {
    var start: Int32 = 0
    let size = socklen_t(MemoryLayout<Int32>.size)
    if setsockopt(reader.number, SOL_SOCKET, SO_PEEK_OFF, &start, size) == -1 { throw .last("setsockopt SO_PEEK_OFF") }
    try receive(looks: true, see)
  }

  /// Takes every message out.
  package borrowing func drain(_ take: (consuming Message) -> Void = { _ in }) throws(Errno) {
    try receive(looks: false, take)
  }

  private borrowing func receive(looks: Bool, _ take: (consuming Message) -> Void) throws(Errno) {
    let socket = reader.number
    while true {
      var numbers = [Int32](repeating: -1, count: Self.most)
      var bytes = [UInt8](repeating: 0, count: 4096)
      var number = 0
      let count = retryingInterrupts {
        signalbox_receive_descriptors(socket, &bytes, bytes.count, &numbers, &number, looks ? 1 : 0)
      }
      if count == 0 { return }
      if count == -1 {
        if errno == EAGAIN { return }
        throw .last("recvmsg")
      }
      take(Message(bytes: Array(bytes[..<count]), descriptors: DescriptorList(owning: numbers[..<number])))
    }
  }
}

/// A carrier and its writer.
package struct CarrierPair: ~Copyable {
  package let carrier: DescriptorCarrier
  package let writer: DescriptorCarrier.Writer

  /// Takes the pair apart.
  package consuming func take<Result: ~Copyable>(
    _ body: (consuming DescriptorCarrier, consuming DescriptorCarrier.Writer) -> Result
  ) -> Result {
    body(carrier, writer)
  }

  /// Lets go of the reading end, which somebody else holds by now.
  package consuming func takeWriter() -> DescriptorCarrier.Writer { writer }
}
