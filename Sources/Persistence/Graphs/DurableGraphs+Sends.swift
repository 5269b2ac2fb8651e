package import GraphEngine
import GraphModel
package import JSON

// The values that clients send to durable graphs.

extension DurableGraphs {
  /// Receives values or an ending from a client.
  ///
  /// - Parameters:
  ///   - mirror: The mirror of the receiving signal.
  ///   - message: The client's ID of the message.
  ///   - sender: The client, as recorded in the log.
  ///   - reply: Notified once the message is on disk and its effects are released, or with an error if its outcome is
  ///     unknown.
  package func send(
    _ content: Content, to mirror: RunningSignal, message: String?, slice: Slice? = nil, from sender: EntrySender?,
    reply: Reply
  ) throws(Refusal) {
    if isOver { throw .over }
    takeCrossings()
    if let failure { throw .storage(failure) }
    guard let index = placesByMirror[ObjectIdentifier(mirror)] else { throw .send(.ended) }
    let (signal, place) = (durable.places[index], UInt32(index))
    if let message, let earlier = durable.answer(to: message, sentTo: signal, at: present.microseconds) {
      guard earlier.signal == signal.name else { throw .nameIsTaken }
      effects.touch(index)
      return effects.append(reply, Outcome(sequence: earlier.sequence, isDuplicate: true))
    }
    let before = signal.sequence
    do throws(SendError) {
      switch content {
      case .values(let values) where slice.map { !$0.isLast } ?? false:
        try durable.runtime.check(values, for: signal)
        enterSent(.values(values, to: place, message: nil), of: index, from: sender)
        guard let slice, let message else { return }
        let made = signal.sequence > slice.before ? signal.sequence : nil
        let earlier = durable.progress(of: message, sentTo: signal)?.sequence
        return enter(.progress(message: message, of: place, count: slice.end, sequence: made ?? earlier), from: sender)
      case .value(let value):
        try durable.runtime.check(value, for: signal)
        enterSent(.value(value, to: place, message: message), of: index, from: sender)
      case .values(let values):
        try durable.runtime.check(values, for: signal)
        enterSent(.values(values, to: place, message: message), of: index, from: sender)
      case .ending(let ending):
        try durable.runtime.checkEnd(of: signal)
        effects.touch(index)
        enter(.ending(ending, of: place, message: message), from: sender)
      }
    } catch {
      throw .send(error)
    }
    var sequence: UInt64? = signal.sequence
    if content.isValue, signal.sequence == slice?.before ?? before { sequence = nil }
    if let message, slice != nil {
      sequence = durable.answer(to: message, sentTo: signal, at: present.microseconds)?.sequence
    }
    effects.append(reply, Outcome(sequence: sequence, isDuplicate: false))
  }

  /// Checks several values that a client is about to send in slices.
  ///
  /// - Returns: The number of the signal's last value, and how many of the values it has taken with this message
  ///   before; all, if the message was carried out.
  package func beginSlices(
    of values: [Payload], to mirror: RunningSignal, message: String?
  ) throws(Refusal) -> (before: UInt64, taken: Int) {
    if isOver { throw .over }
    takeCrossings()
    if let failure { throw .storage(failure) }
    guard let index = placesByMirror[ObjectIdentifier(mirror)] else { throw .send(.ended) }
    let signal = durable.places[index]
    guard let message else { return (signal.sequence, try check(values, for: signal)) }
    if let earlier = durable.answer(to: message, sentTo: signal, at: present.microseconds) {
      guard earlier.signal == signal.name else { throw .nameIsTaken }
      return (signal.sequence, values.count)
    }
    let progress = durable.progress(of: message, sentTo: signal)
    guard progress.map({ $0.signal == signal.name }) ?? true else { throw .nameIsTaken }
    _ = try check(values, for: signal)
    return (signal.sequence, min(Int(clamping: progress?.count ?? 0), values.count - 1))
  }

  /// - Returns: 0, for none of them has been taken.
  private func check(_ values: [Payload], for signal: RunningSignal) throws(Refusal) -> Int {
    do throws(SendError) { try durable.runtime.check(values, for: signal) } catch { throw .send(error) }
    return 0
  }

  private func enterSent(_ entry: Entry, of index: Int, from sender: EntrySender?) {
    effects.touch(index)
    effects.isSent = true
    enter(entry, from: sender)
    effects.isSent = false
  }
}
