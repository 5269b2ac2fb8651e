internal import Base
internal import Cluster
internal import GraphModel
internal import JSON
internal import Linux
internal import WireProtocol

/// A connection to the servers of NATS by a process of `signalbox-bridge`, which this program's libraries do without.
///
/// The process ends with the connection.
final class RelayChannel: ServerChannel {
  private let connection: PeerConnection
  private let process: ChildProcess
  private let socket: OwnedDescriptor
  private var reader = RelayFrameReader()
  private var handlers: [UInt32: (IncomingMessage) -> Void] = [:]
  private var lastSubscription: UInt32 = 0
  private var replies: [String: (IncomingMessage) -> Void] = [:]
  private var lastReply = 0
  let inbox: String
  /// The address of the server; `nil` before there is a connection.
  private(set) var server: String?
  /// The signals that end each wait.
  var interruption: HeldSignals?
  /// The reason that there is none.
  private var absence = "no answer"

  private static let chunkSize = 256 << 10
  /// The bytes of messages of the process to show.
  private static let messages = 4_096

  /// Starts the process, which begins to connect.
  private init(_ connection: PeerConnection) throws(CommandError) {
    self.connection = connection
    inbox = "_INBOX.\(OpenRecord.newBoot())"
    let program = CurrentProcess.programBeside("signalbox-bridge")
    guard ProgramFile.isRunnable(program) else {
      throw CommandError(.unreadable, "signalbox-bridge is not installed beside this program, and only it speaks NATS")
    }
    do throws(Errno) {
      let (own, other) = try UnixSocket.pair().take()
      socket = OwnedDescriptor(owning: own)
      let passed = OwnedDescriptor(owning: other)
      process = try ChildProcess(
        [program], environment: CurrentProcess.environmentLines + ["SIGNALBOX_RELAY_FD=3"], input: [],
        passing: passed.number)
    } catch { throw CommandError(.internal, "\(program): \(error)") }
    let settings: JSONValue = [
      "connection": .string(connection.name), "kind": .string(connection.kind.rawValue),
      "settings": .object(connection.settings),
    ]
    send(.connect(Array(settings.description.utf8)))
  }

  /// Starts processes, and waits until all are connected.
  ///
  /// - Parameter signals: The signals that end each wait.
  static func connect(
    _ count: Int, to connection: PeerConnection, until signals: HeldSignals? = nil
  ) throws(CommandError) -> [RelayChannel] {
    if connection.isOpen {
      throw CommandError(
        .unreadable,
        "only the service has a part of the settings of the connection \"\(connection.name)\": run this with "
          + "$CREDENTIALS_DIRECTORY and the variables of the service, as systemd-run can set them")
    }
    var channels: [RelayChannel] = []
    for _ in 0..<count { channels.append(try RelayChannel(connection)) }
    for channel in channels { channel.interruption = signals }
    let end = MonotonicInstant.now() + patience
    for channel in channels {
      do throws(ServerFailure) {
        while channel.server == nil, .now() < end { try channel.receive(within: min(end - .now(), .milliseconds(100))) }
      } catch { throw CommandError(.unreachable, "\(error)") }
      if channel.server == nil {
        throw CommandError(.unreachable, "no connection to \(connection.address): \(channel.absence)")
      }
      channel.subscribe("\(channel.inbox).r.*") { [unowned channel] message in
        channel.replies.removeValue(forKey: message.subject)?(message)
      }
    }
    return channels
  }

  private static let patience = Duration.seconds(5)

  // MARK: Messages

  func request(_ message: OutgoingMessage, _ handler: @escaping (IncomingMessage) -> Void) {
    lastReply += 1
    let reply = "\(inbox).r.\(lastReply)"
    replies[reply] = handler
    publish(message, reply: reply)
  }

  func publish(_ message: OutgoingMessage, reply: String) { send(.publish(RelayMessage(message, reply: reply))) }

  @discardableResult
  func subscribe(_ subject: String, _ handler: @escaping (IncomingMessage) -> Void) -> UInt32 {
    lastSubscription += 1
    handlers[lastSubscription] = handler
    send(.subscribe(lastSubscription, subject: subject))
    return lastSubscription
  }

  func unsubscribe(_ number: UInt32) {
    handlers[number] = nil
    send(.unsubscribe(number))
  }

  /// Writes a frame; that the process has ended is found by `receive`.
  private func send(_ frame: RelayFrame) {
    var bytes: [UInt8] = []
    frame.append(to: &bytes)
    try? socket.transfer.writeAll(bytes)
  }

  func receive(within time: Duration) throws(ServerFailure) {
    if interruption?.haveArrived == true { throw ServerFailure("interrupted") }
    do {
      guard try socket.transfer.wait(for: .readable, timeout: max(.zero, time)).contains(.readable) else { return }
      guard let bytes = try socket.transfer.read(upTo: Self.chunkSize) else { return }
      if bytes.isEmpty { throw ended() }
      reader.append(bytes)
      while let frame = try reader.next() { take(frame) }
    } catch let failure as ServerFailure { throw failure } catch { throw ServerFailure("signalbox-bridge: \(error)") }
    if server != nil, isLost { throw ServerFailure("the connection was lost: \(absence)") }
  }

  private var isLost = false

  private func take(_ frame: RelayFrame) {
    switch frame {
    case .connected(let server): self.server = server
    case .disconnected(let reason):
      absence = connection.withoutSecrets(reason)
      isLost = server != nil
    case .message(let number, let message): handlers[number]?(IncomingMessage(message))
    case .connect, .publish, .subscribe, .unsubscribe: break
    }
  }

  /// Returns the failure for the end of the process, with its last words.
  private func ended() -> ServerFailure {
    let words = (try? process.errors.transfer.read(upTo: Self.messages)).flatMap { $0 } ?? []
    let line = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isNewline).last ?? ""
    return ServerFailure(
      "signalbox-bridge has ended\(line.isEmpty ? "" : ": \(connection.withoutSecrets(String(line)))")")
  }
}
