package import GraphModel
import JSON
import Signals

/// The values of a source on the network: each record that its adapter reports is a turn of its own.
package final class NetworkRecords {
  private let parser: LineParser?
  private let context: OperatorContext
  private let output: StreamObserver
  private var columns: [String]?
  /// True if a failure ends the source.
  private let endsByFailure: Bool
  /// True if values tell what the peer says beside a record.
  private let hasDetails: Bool
  /// True if a record that the peer retains is the state of the one thing that the source is about.
  private let holdsRetained: Bool

  /// The operators that treat the failure of their upstream.
  private static let treatingFailures: Set = ["retry", "catch", "on_error_resume_next", "map_error", "materialize"]

  private init(
    of source: NetworkSource, _ format: LineFormat?, isContinuous: Bool, holdsRetained: Bool,
    to output: StreamObserver, _ context: OperatorContext
  ) {
    hasDetails = source.hasDetails
    self.holdsRetained = holdsRetained
    let body = context.signal.declaration.body
    let isTreated = body.pipe.contains { Self.treatingFailures.contains($0.name) }
    endsByFailure = isContinuous || body.onError == nil && isTreated
    parser = format.map { context.engine.lineParser($0) }
    self.output = output
    self.context = context
  }

  /// Returns the values of a source.
  ///
  /// - Parameters:
  ///   - format: The format of a record; `nil` for JSON where it can be read so, else text.
  ///   - isContinuous: True if nothing follows a failure by itself.
  ///   - holdsRetained: True if the signal holds its newest value from the first record on that the peer retains.
  ///   - isState: True if each record is the whole state, which can be had again.
  package static func stream(
    of source: NetworkSource, _ format: LineFormat?, isContinuous: Bool, holdsRetained: Bool = false,
    isState: Bool = false, _ context: OperatorContext
  ) -> Stream {
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let records = NetworkRecords(
      of: source, format, isContinuous: isContinuous, holdsRetained: holdsRetained, to: output, context)
    context.onAttach { world, _ in
      // Where nothing is held, what the peer retains, or its present state, is wanted again.
      let signal = context.signal
      let isWanting = !signal.isHeld && (holdsRetained || isState && signal.declaration.holdsValues)
      let position = isWanting ? nil : signal.networkMemory?.position
      let following = world.network.follow(source, from: position) {
        records.receive($0)
      }
      context.body.onEnd { following.dispose() }
    }
    return stream
  }

  private func receive(_ event: NetworkEvent) {
    guard !context.body.hasEnded else { return }
    switch event {
    case .items(let items, let position, let message):
      let memory = context.signal.networkMemory
      memory?.lastFailure = nil
      if let message, memory?.isKnown(message) == true { return }
      for item in items where !context.body.hasEnded { context.turns.run { put(item) } }
      memory?.note(position: position, message: message)
    case .failed(let failure, let status): fail(failure, status)
    case .completed: context.turns.run { output.sendCompleted() }
    }
  }

  /// Ends the source, or treats the failure as a rejected value: the next poll may succeed.
  private func fail(_ failure: SignalFailure, _ status: Int32?) {
    context.signal.networkMemory?.lastFailure = NotedFailure(
      failure: failure, status: status, time: context.clock.microseconds)
    context.turns.run {
      if endsByFailure {
        output.send(error: failure)
      } else {
        context.refuse(failure, status: status, value: nil, output)
      }
    }
  }

  /// Emits the value of an item, within a turn.
  private func put(_ item: NetworkItem) {
    switch item {
    case .value(let payload): output.send(value: payload)
    case .record(let bytes): put(bytes) { $0 }
    case .message(let bytes, var details):
      if holdsRetained, details["retained"] == true { context.signal.holdNewest() }
      guard hasDetails else { return put(bytes) { $0 } }
      put(bytes) { payload in
        details["payload"] = payload.value
        return .value(.object(details))
      }
    }
  }

  private func put(_ bytes: [UInt8], _ whole: (Payload) -> Payload) {
    do throws(SignalFailure) {
      if let payload = try payload(of: bytes) { output.send(value: whole(payload)) }
    } catch {
      context.refuse(error, value: .string(String(decoding: bytes.prefix(1_024), as: UTF8.self)), output)
    }
  }

  private func payload(of bytes: [UInt8]) throws(SignalFailure) -> Payload? {
    let line = bytes.withoutLineEnd
    guard let parser else {
      if let text = RawJSON(plain: bytes.span) { return .raw(text) }
      if let value = try? JSONParser.value(onThisThread: bytes.span) { return .value(value) }
      guard let text = String(validating: line, as: UTF8.self) else { throw .notText(line) }
      return .value(.string(text))
    }
    return try parser.payload(of: .whole(line), columns: &columns, context.limits)
  }
}

extension [UInt8] {
  /// The bytes without a line break at their end.
  fileprivate var withoutLineEnd: ArraySlice<UInt8> {
    guard last == UInt8(ascii: "\n") else { return self[...] }
    let line = dropLast()
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
