import Glibc
import Linux

/// The carrier of a handover as it is being filled, and the one who is to have it.
struct HandoverPort: ~Copyable {
  /// So many sockets go with one message.
  private static let portion = DescriptorCarrier.most

  private let writer: DescriptorCarrier.Writer
  /// Held here for a program that takes the place of this one; else the service manager holds it.
  private let carrier: DescriptorCarrier?
  private let carrierNumber: Int32?

  /// One for a program that takes the place of this one.
  static func forThisProcess() throws(Errno) -> HandoverPort {
    let pair = try DescriptorCarrier.make()
    return pair.take { HandoverPort(writer: $1, carrier: $0) }
  }

  /// One in the store of the service manager; `nil` where that keeps none.
  static func inStore() throws(Errno) -> HandoverPort? {
    guard ServiceManager.isThere else { return nil }
    let pair = try DescriptorCarrier.make()
    try ServiceManager.store(pair.carrier.reader, name: Takeover.name)
    let writer = pair.takeWriter()
    // The service manager says nothing when it may keep no descriptor; but then nobody holds the other end now.
    return writer.isHeld() ? HandoverPort(writer: writer, carrier: nil) : nil
  }

  private init(writer: consuming DescriptorCarrier.Writer, carrier: consuming DescriptorCarrier?) {
    self.writer = writer
    carrierNumber = carrier?.reader.number
    self.carrier = carrier
  }

  /// Has a program take the place of this one, with the carrier open; it returns only where that fails.
  borrowing func replaceProgram(with path: String, _ arguments: [String]) -> Errno {
    guard let number = carrierNumber else { return Errno(EBADF, call: "execve") }
    CurrentProcess.setEnvironment(Takeover.variable, "\(number)")
    return CurrentProcess.replace(with: path, arguments, keeping: [number])
  }

  /// Puts the sockets of clients in, which stay open here.
  borrowing func send(clients numbers: [Int32]) throws(Errno) {
    var rest = numbers[...]
    while !rest.isEmpty {
      try writer.send([HandoverMessage.clients.rawValue], Array(rest.prefix(Self.portion)))
      rest = rest.dropFirst(Self.portion)
    }
  }

  /// Puts the state and the listening socket in, which makes it whole.
  borrowing func send(_ file: HandoverFile, listener: Int32) throws(Errno) {
    let memory = try SealedMemory.make(Takeover.name, file.bytes)
    try writer.send([HandoverMessage.head.rawValue], [memory.number, listener])
  }
}
