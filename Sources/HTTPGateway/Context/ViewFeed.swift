internal import JSON
internal import Linux
internal import WireProtocol

/// The newest value of every signal, for all pages, from a single subscription.
///
/// The daemon sends at most one value of a signal per interval, regardless of the number of values and pages. Without
/// pages, there is no subscription.
final class ViewFeed {
  /// The newest event of a signal, encoded for pages.
  struct Item {
    let text: [UInt8]
    /// The update that it arrived in.
    let turn: UInt64
  }

  private unowned let context: GatewayContext
  private var connection: DaemonConnection?
  private var timer: LoopTimer?
  /// Polls for changes of the configuration.
  private var look: LoopTimer?
  private var generation: Int?
  private var viewers: [ObjectIdentifier: any Viewer] = [:]
  private var isTurnSet = false
  private(set) var items: [String: Item] = [:]
  private(set) var turn: UInt64 = 0
  private(set) var isConnected = false
  /// The epoch of the daemon, once the feed has all values that the daemon retains.
  private(set) var epoch: String?
  /// The number of times that it has got all of them: after each connection.
  private(set) var wholes = 0

  /// The interval between two values of a signal: numbers that change more often cannot be read.
  static let interval = "200ms"
  /// The size in bytes above which a page shows only the size of a value.
  static let longestValue = 1024
  private static let patterns = ["*.*", "*.*.*"]
  /// The daemon's own signal for changes of connections, which the list of signals shows.
  private static let connections = "signalbox.connections"
  private static let connectionsID = 2
  /// The request whose reply follows all retained values.
  private static let wholeID = 3
  /// The interval between checks of the configuration.
  private static let lookInterval = Duration.seconds(2)

  init(_ context: GatewayContext) { self.context = context }

  func add(_ viewer: any Viewer) {
    viewers[ObjectIdentifier(viewer)] = viewer
    if connection == nil && timer == nil { connect() }
  }

  func remove(_ viewer: any Viewer) {
    viewers[ObjectIdentifier(viewer)] = nil
    if viewers.isEmpty { close() }
  }

  private func close() {
    disconnect()
    timer = nil
  }

  private func disconnect() {
    connection?.close()
    connection = nil
    look = nil
    generation = nil
    isTurnSet = false
    isConnected = false
    epoch = nil
    items = [:]
  }

  private func connect() {
    do throws(Problem) {
      let connection = try context.connect()
      connection.received = { [unowned self] in take($0) }
      connection.closed = { [unowned self] in lose() }
      self.connection = connection
      connection.send(HelloRequest(), id: 0)
      for text in Self.patterns {
        guard let pattern = SignalPattern(text) else { continue }
        var request = SubscribeRequest(signal: pattern)
        request.replay = 1
        request.every = Interval(Self.interval)
        request.timestamps = true
        connection.send(request, id: 1)
      }
      if let name = SignalPattern(Self.connections) {
        connection.send(SubscribeRequest(signal: name), id: Self.connectionsID)
      }
      connection.send(HelloRequest(), id: Self.wholeID)
      isConnected = true
      lookLater()
      for viewer in viewers.values { viewer.connectionChanged() }
    } catch { lose() }
  }

  private func lookLater() {
    do throws(Errno) {
      if look == nil {
        look = try context.loop.addTimer { [unowned self] in
          connection?.send(HelloRequest(), id: 0)
          lookLater()
        }
      }
      try look?.set(.now() + Self.lookInterval)
    } catch { context.log.error("cannot follow reloads: \(error)") }
  }

  /// Resubscribes under another configuration: signals may have been added, removed, changed or restarted.
  private func note(generation: Int?) {
    if let known = self.generation, known != generation {
      disconnect()
      timer = nil
      return connect()
    }
    self.generation = generation
  }

  private func lose() {
    let was = isConnected
    disconnect()
    if was { for viewer in viewers.values { viewer.connectionChanged() } }
    later(.seconds(1)) { [unowned self] in connect() }
  }

  private func take(_ line: Span<UInt8>) {
    guard let line = try? ServerLine(line) else { return }
    // A gateway may lack the right to read the daemon's own signals.
    if line.isRefusal, line.number("id") == Self.connectionsID { return }
    if line.isRefusal {
      context.log.warning("the daemon rejected the subscription of the view: \(line.message)")
      return lose()
    }
    if case .reply("hello") = line.kind {
      note(generation: line.number("generation"))
      if line.number("id") == Self.wholeID, connection != nil { complete(epoch: line.string("epoch")) }
      return
    }
    guard case .event(let event) = line.kind, let signal = line.string("signal") else { return }
    if signal == Self.connections {
      if event == "next" { for viewer in viewers.values { viewer.listChanged() } }
      return
    }
    guard let item = item(event, line) else { return }
    items[signal] = Item(text: item, turn: turn)
    if isTurnSet { return }
    isTurnSet = true
    later(.milliseconds(100)) { [unowned self] in endTurn() }
  }

  private func item(_ event: String, _ line: ServerLine) -> [UInt8]? {
    switch event {
    case "next":
      var writer = JSONWriter(Array("{\"seq\":".utf8))
      writer.write(text: line["seq"]?.bytes ?? [])
      writer.write(literal: ",\"at\":")
      writer.write(text: line["at"]?.bytes ?? Array("null".utf8))
      if let value = line["value"], value.count <= Self.longestValue {
        writer.write(literal: ",\"value\":")
        writer.write(text: value.bytes)
      } else {
        writer.write(literal: ",\"size\":")
        writer.write(line["value"]?.count ?? 0)
      }
      writer.write(literal: "}")
      return writer.bytes
    case _ where line.isTemporaryEnding: return nil
    case _ where line.isEnding:
      var end: JSONObject = ["ended": .string(event)]
      end["error"] = line["error"]?.value
      end["at"] = line["at"]?.value
      return JSONValue.object(end).json
    // The signal is new or has restarted, and has no value yet.
    case "subscribed": return Array("{}".utf8)
    default: return nil
    }
  }

  /// Tells the viewers all values, so that they forget those that the daemon no longer has.
  private func complete(epoch: String?) {
    self.epoch = epoch
    wholes += 1
    endTurn()
  }

  private func endTurn() {
    isTurnSet = false
    turn += 1
    for viewer in viewers.values { viewer.turnEnded() }
  }

  private func later(_ time: Duration, _ work: @escaping () -> Void) {
    do throws(Errno) {
      let timer = try context.loop.addTimer { [unowned self] in
        self.timer = nil
        work()
      }
      try timer.set(.now() + time)
      self.timer = timer
    } catch { context.log.error("the view is no longer updated: \(error)") }
  }
}

/// A page that shows the feed.
protocol Viewer: AnyObject {
  /// Called when there are newer values.
  func turnEnded()
  func connectionChanged()
  /// Called when the list of signals has changed.
  func listChanged()
}
