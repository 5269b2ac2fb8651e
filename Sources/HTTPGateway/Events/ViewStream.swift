internal import JSON

/// The feed to one page: the newest values of the signals that it may read, as fast as it reads them.
final class ViewStream: HeartbeatStream, Viewer {
  private let call: RouteCall
  private let context: GatewayContext
  private let grant: Grant
  private var body: HTTPBodyStream?
  /// The first update that the page has not received completely.
  private var next: UInt64 = 0
  /// The last time that it has told all values.
  private var whole = 0
  /// The number of updates that were merged with later ones, since the page had not read the previous output.
  private var skipped = 0
  private var isQuiet = true

  init(_ call: RouteCall) {
    self.call = call
    context = call.context
    grant = call.grant
  }

  func begin() {
    let stream = call.stream(type: EventFrame.mediaType)
    stream.closed = { [self] in end() }
    stream.drained = { [unowned self] in if next < context.view.turn { turnEnded() } }
    body = stream
    stream.write("retry: 1000\n\n")
    context.add(self)
    let was = context.view.isConnected
    context.view.add(self)
    // A feed that connects for this page has called it already.
    if context.view.isConnected == was { connectionChanged() }
    send(from: 0)
  }

  func connectionChanged() {
    var bytes: [UInt8] = []
    EventFrame.append(context.view.isConnected ? "connected" : "disconnected", [:], to: &bytes)
    write(bytes)
  }

  func listChanged() {
    var bytes: [UInt8] = []
    EventFrame.append("list", [:], to: &bytes)
    write(bytes)
  }

  func turnEnded() {
    guard body?.isFull == false else {
      skipped += 1
      return
    }
    send(from: next)
  }

  private func send(from first: UInt64) {
    let view = context.view
    let epoch = whole == view.wholes ? nil : view.epoch
    let first = epoch == nil ? first : 0
    if epoch != nil { whole = view.wholes }
    next = view.turn
    var data = JSONWriter(Array("{\"skipped\":".utf8))
    data.write(skipped)
    if let epoch {
      data.write(literal: ",\"epoch\":")
      data.write(epoch)
    }
    data.write(literal: ",\"signals\":{")
    var isFirst = true
    for (name, item) in view.items where item.turn >= first && grant.reads.contains(name) {
      if !isFirst { data.write(literal: ",") }
      isFirst = false
      data.write(name)
      data.write(literal: ":")
      data.write(text: item.text)
    }
    data.write(literal: "}}")
    if isFirst && first > 0 { return }
    skipped = 0
    var bytes: [UInt8] = []
    EventFrame.append("view", id: nil, data: data.bytes.span, to: &bytes)
    write(bytes)
  }

  private func write(_ bytes: [UInt8]) {
    isQuiet = false
    body?.write(bytes)
  }

  func beat() {
    if isQuiet { body?.write(EventFrame.heartbeat) }
    isQuiet = true
  }

  private func end() {
    context.view.remove(self)
    context.remove(self)
    body = nil
  }
}
