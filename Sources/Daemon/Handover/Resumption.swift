package import Linux
package import Persistence
import Signals
import WireProtocol

/// The handover from the old process: its clients' sockets, its listening socket and its state.
///
/// All of it is read without being removed at first, so that nothing is lost if this process is killed while it
/// resumes: the service manager starts another one, which finds the same. `commit` removes it, once everything is
/// restored.
package final class Resumption {
  /// The name of the carrier in the service manager's store.
  package static let name = "signalbox-handover"
  /// The environment variable with the descriptor of the carrier, for a program that replaces another.
  package static let variable = "SIGNALBOX_HANDOVER"

  package let state: HandoverState
  private var carrier: DescriptorCarrier?
  private let isStored: Bool
  private var listener: OwnedDescriptor?
  private(set) var clients: DescriptorList

  /// Reads the contents of a carrier.
  ///
  /// - Parameters:
  ///   - present: The configuration to apply now.
  ///   - isStored: True if the service manager holds a copy of the carrier.
  /// - Throws: A `StartFailure`, after the clients have been sent their last bytes.
  package init(
    _ carrier: consuming DescriptorCarrier, present: StoredConfiguration, isStored: Bool
  ) throws(StartFailure) {
    var contents = CarrierContents()
    let state: HandoverState
    do {
      try carrier.look { contents.take($0) }
      state = try Self.state(in: contents.file, present)
    } catch {
      // The duplicated sockets are closed first: dismissing the clients needs descriptors once more.
      contents = CarrierContents()
      Self.refuse(carrier, isStored: isStored)
      let reason = (error as? StateError)?.message ?? "\(error)"
      throw StartFailure("cannot resume handover state: \(reason)", status: 70)
    }
    self.state = state
    self.carrier = consume carrier
    self.isStored = isStored
    listener = contents.takeListener()
    clients = contents.takeClients()
  }

  private static func state(in file: [UInt8]?, _ present: StoredConfiguration) throws(StateError) -> HandoverState {
    guard let file else { throw StateError("missing state file") }
    let handover = try HandoverFile(file)
    guard HandoverFile.reads(version: handover.version) else {
      throw StateError(
        "unsupported state version \(handover.version); supported: \(HandoverFile.oldestVersion) to "
          + "\(HandoverFile.version)")
    }
    return try HandoverState(handover.state, present: present)
  }

  /// Returns the listening socket of the old process, once.
  package func takeListener() throws(Errno) -> UnixListener? {
    guard let listener = listener.take() else { return nil }
    return try UnixListener(handedOver: listener, path: state.socketPath, ownsFile: state.ownsSocketFile)
  }

  /// Returns the socket of a client, once.
  func takeClient(_ place: Int) -> OwnedDescriptor? { clients.take(at: place) }

  /// Removes the handover, so that this process alone resumes from it.
  package func commit() {
    try? carrier.take()?.drain()
    if isStored { ServiceManager.remove(stored: Self.name) }
    CurrentProcess.setEnvironment(Self.variable, nil)
  }

  /// Sends the clients their last bytes and disconnects them.
  package func refuse() {
    clients = DescriptorList()
    if let carrier = carrier.take() { Self.refuse(carrier, isStored: isStored) }
  }

  /// Refuses the handover that this process was started with, without reading it first.
  package static func refuse(_ inheritance: Inheritance) {
    if let carrier = inheritance.takeCarrier() { refuse(carrier, isStored: inheritance.isStored) }
  }

  private static func refuse(_ carrier: consuming DescriptorCarrier, isStored: Bool) {
    var contents = CarrierContents()
    try? carrier.drain { contents.take($0) }
    if isStored { ServiceManager.remove(stored: name) }
    CurrentProcess.setEnvironment(variable, nil)
    let farewells = contents.file.flatMap { try? HandoverFile($0) }?.farewells ?? []
    contents.dismiss(farewells)
  }
}

/// The contents of a carrier: the clients' sockets, then the file and the listening socket.
private struct CarrierContents: ~Copyable {
  private(set) var file: [UInt8]?
  private var listener: OwnedDescriptor?
  private var clients = DescriptorList()

  init() {}

  mutating func take(_ message: consuming DescriptorCarrier.Message) {
    let kind = message.bytes.first
    var descriptors = message.takeDescriptors()
    switch kind {
    case HandoverMessage.clients.rawValue: clients.append(descriptors)
    case HandoverMessage.head.rawValue:
      if let memory = descriptors.take(at: 0) { file = (try? SealedMemory.read(memory.number)) ?? nil }
      listener = descriptors.take(at: 1)
    default: break
    }
  }

  mutating func takeListener() -> OwnedDescriptor? { listener.take() }

  consuming func takeClients() -> DescriptorList { clients }

  /// Sends each client its last bytes.
  consuming func dismiss(_ farewells: [[UInt8]]) {
    for place in 0..<clients.count {
      guard let number = clients.number(at: place) else { continue }
      // Unread input would turn the close into a reset.
      while let bytes = try? Transfer(number).read(upTo: 65_536), !bytes.isEmpty {}
      guard farewells.indices.contains(place) else { continue }
      _ = try? farewells[place].withUnsafeBytes { bytes throws(Errno) in try Transfer(number).send(bytes) }
    }
  }
}

/// The messages in a carrier, by their first byte.
enum HandoverMessage: UInt8 {
  /// The sockets of clients.
  case clients = 1
  /// The file with the state, and the listening socket; the last message.
  case head = 2
}
