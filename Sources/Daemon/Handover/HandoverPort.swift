import Glibc
import Linux

/// The sending end of a handover and the process that will receive it.
struct HandoverPort: ~Copyable {
  /// The most sockets in one message.
  private static let portion = DescriptorCarrier.most

  private let writer: DescriptorCarrier.Writer
  /// The receiving end for a program that replaces this one; otherwise the service manager holds it.
  private let carrier: DescriptorCarrier?
  private let carrierNumber: Int32?

  /// Creates a port for a program that replaces this one.
  static func forThisProcess() throws(Errno) -> HandoverPort {
    let pair = try DescriptorCarrier.make()
    return pair.take { HandoverPort(writer: $1, carrier: $0) }
  }

  /// Creates a port in the store of the service manager; `nil` if it stores no descriptors.
  static func inStore() throws(Errno) -> HandoverPort? {
    guard ServiceManager.isThere else { return nil }
    let pair = try DescriptorCarrier.make()
    try ServiceManager.store(pair.carrier.reader, name: Resumption.name)
    let writer = pair.takeWriter()
    // The service manager does not report a refusal to store a descriptor, but then the other end is closed by now.
    return writer.isHeld() ? HandoverPort(writer: writer, carrier: nil) : nil
  }

  private init(writer: consuming DescriptorCarrier.Writer, carrier: consuming DescriptorCarrier?) {
    self.writer = writer
    carrierNumber = carrier?.reader.number
    self.carrier = carrier
  }

  /// Replaces this program by another one, with the carrier open; returns only on failure.
  borrowing func replaceProgram(with path: String, _ arguments: [String]) -> Errno {
    guard let number = carrierNumber else { return Errno(EBADF, call: "execve") }
    CurrentProcess.setEnvironment(Resumption.variable, "\(number)")
    return CurrentProcess.replace(with: path, arguments, keeping: [number])
  }

  /// Sends the sockets of clients, which stay open here.
  borrowing func send(clients numbers: [Int32]) throws(Errno) {
    var rest = numbers[...]
    while !rest.isEmpty {
      try writer.send([HandoverMessage.clients.rawValue], Array(rest.prefix(Self.portion)))
      rest = rest.dropFirst(Self.portion)
    }
  }

  /// Sends the state and the listening socket, which completes the handover.
  borrowing func send(_ file: HandoverFile, listener: Int32) throws(Errno) {
    let memory = try SealedMemory.make(Resumption.name, file.bytes)
    try writer.send([HandoverMessage.head.rawValue], [memory.number, listener])
  }
}
