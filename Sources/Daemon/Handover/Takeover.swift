package import Linux
package import Persistence
import ReactiveCore
import WireProtocol

/// The work of the process before this one: its clients' sockets, its listening socket and its state.
///
/// All of it is looked at first and stays where it is, so that a process that is killed while it takes over has lost
/// nothing: the service manager starts another one, which finds the same. `commit` takes it out, once everything stands.
package final class Takeover {
  /// Under this name the service manager keeps the carrier.
  package static let name = "signalbox-handover"
  /// In this variable a program that takes the place of another finds the number of the carrier.
  package static let variable = "SIGNALBOX_HANDOVER"

  package let state: HandoverState
  private var carrier: DescriptorCarrier?
  private let isStored: Bool
  private var listener: OwnedDescriptor?
  private(set) var clients: DescriptorList

  /// Looks at what a carrier brings.
  ///
  /// - Parameters:
  ///   - present: The configuration that is to run now.
  ///   - isStored: Whether the service manager holds a copy of it.
  /// - Throws: A `StartFailure`, with which its clients have been told that nobody goes on with their work.
  package init(
    _ carrier: consuming DescriptorCarrier, present: StoredConfiguration, isStored: Bool
  ) throws(StartFailure) {
    var contents = CarrierContents()
    let state: HandoverState
    do {
      try carrier.look { contents.take($0) }
      state = try Self.state(in: contents.file, present)
    } catch {
      // Their copies are closed first: clients that are told need descriptors once more.
      contents = CarrierContents()
      Self.refuse(carrier, isStored: isStored)
      let reason = (error as? StateError)?.message ?? "\(error)"
      throw StartFailure("the work of the process before cannot be gone on with: \(reason)", status: 70)
    }
    self.state = state
    self.carrier = consume carrier
    self.isStored = isStored
    listener = contents.takeListener()
    clients = contents.takeClients()
  }

  private static func state(in file: [UInt8]?, _ present: StoredConfiguration) throws(StateError) -> HandoverState {
    guard let file else { throw StateError("its state is not there") }
    let handover = try HandoverFile(file)
    guard HandoverFile.reads(version: handover.version) else {
      throw StateError(
        "its state has version \(handover.version), and this program reads \(HandoverFile.oldestVersion) to "
          + "\(HandoverFile.version)")
    }
    return try HandoverState(handover.state, present: present)
  }

  /// The listening socket of the process before, to be asked for once.
  package func takeListener() throws(Errno) -> UnixListener? {
    guard let listener = listener.take() else { return nil }
    return try UnixListener(handedOver: listener, path: state.socketPath, ownsFile: state.ownsSocketFile)
  }

  /// The socket of a client, to be asked for once.
  func takeClient(_ place: Int) -> OwnedDescriptor? { clients.take(at: place) }

  /// Has nobody else find it any more: from now on this process alone goes on with it.
  package func commit() {
    try? carrier.take()?.drain()
    if isStored { ServiceManager.forget(stored: Self.name) }
    CurrentProcess.setEnvironment(Self.variable, nil)
  }

  /// Tells the clients that nobody goes on with their work, and lets them go.
  package func refuse() {
    clients = DescriptorList()
    if let carrier = carrier.take() { Self.refuse(carrier, isStored: isStored) }
  }

  /// The same of what this process was started with, which nobody has looked at.
  package static func refuse(_ inheritance: Inheritance) {
    if let carrier = inheritance.takeCarrier() { refuse(carrier, isStored: inheritance.isStored) }
  }

  private static func refuse(_ carrier: consuming DescriptorCarrier, isStored: Bool) {
    var contents = CarrierContents()
    try? carrier.drain { contents.take($0) }
    if isStored { ServiceManager.forget(stored: name) }
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

  /// Tells each client its last bytes.
  consuming func dismiss(_ farewells: [[UInt8]]) {
    for place in 0..<clients.count {
      guard let number = clients.number(at: place) else { continue }
      // Input that nobody has read would make the close a reset.
      while let bytes = try? Transfer(number).read(upTo: 65_536), !bytes.isEmpty {}
      guard farewells.indices.contains(place) else { continue }
      _ = try? farewells[place].withUnsafeBytes { bytes throws(Errno) in try Transfer(number).send(bytes) }
    }
  }
}

/// The messages in a carrier, by their first byte.
enum HandoverMessage: UInt8 {
  /// Sockets of clients.
  case clients = 1
  /// The file with the state and the listening socket; it comes last.
  case head = 2
}
