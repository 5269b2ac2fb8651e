import CDescriptors
import CSystemd
import Glibc

/// Descriptors in transit between processes, queued in a socket whose reading end alone is handed over.
///
/// The service manager stores only that end: each further descriptor in its store slows down every change of it. The
/// kernel keeps the messages after their writer has closed. They can be peeked at before they are received, and a
/// process that dies in between loses nothing.
package struct DescriptorCarrier: ~Copyable {
  /// The maximum number of descriptors in a message (`SCM_MAX_FD`).
  package static let most = Int(signalbox_most_descriptors)

  /// The end to hand over.
  package let reader: OwnedDescriptor

  /// Takes ownership of a handed-over end.
  package init(_ reader: consuming OwnedDescriptor) { self.reader = reader }

  /// A message with its descriptors.
  package struct Message: ~Copyable {
    package let bytes: [UInt8]
    fileprivate let descriptors: DescriptorList

    package consuming func takeDescriptors() -> DescriptorList { descriptors }
  }

  /// The sending end.
  package struct Writer: ~Copyable {
    private let socket: OwnedDescriptor

    fileprivate init(_ socket: consuming OwnedDescriptor) { self.socket = socket }

    /// Queues a message without blocking.
    ///
    /// - Parameter descriptors: At most `most`; they remain with their owners.
    package borrowing func send(_ bytes: [UInt8], _ descriptors: [Int32]) throws(Errno) {
      let number = socket.number
      let sent = retryingInterrupts {
        signalbox_send_descriptors(number, bytes, bytes.count, descriptors, descriptors.count)
      }
      if sent == -1 { throw .last("sendmsg") }
    }

    /// Checks that the other end is still open.
    package borrowing func isHeld() -> Bool {
      (try? socket.transfer.wait(for: [], timeout: .zero))?.contains(.hungUp) == false
    }
  }

  /// Creates a carrier and its writer.
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

  /// Peeks at all messages without removing them; the descriptors passed are duplicates.
  package borrowing func look(_ see: (consuming Message) -> Void) throws(Errno) {
    var start: Int32 = 0
    let size = socklen_t(MemoryLayout<Int32>.size)
    if setsockopt(reader.number, SOL_SOCKET, SO_PEEK_OFF, &start, size) == -1 { throw .last("setsockopt SO_PEEK_OFF") }
    try receive(looks: true, see)
  }

  /// Receives and removes all messages.
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

  /// Consumes the pair and passes both parts to a closure.
  package consuming func take<Result: ~Copyable>(
    _ body: (consuming DescriptorCarrier, consuming DescriptorCarrier.Writer) -> Result
  ) -> Result {
    body(carrier, writer)
  }

  /// Closes this process's copy of the reading end, which another process holds.
  package consuming func takeWriter() -> DescriptorCarrier.Writer { writer }
}
