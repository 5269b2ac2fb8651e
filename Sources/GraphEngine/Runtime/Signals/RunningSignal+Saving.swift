import GraphModel
import Signals

extension RunningSignal {
  /// Encodes all that it needs to resume elsewhere, without its subscribers.
  func encode(to writer: inout StateEncoder) {
    sequence.encode(to: &writer)
    lastTime.encode(to: &writer)
    end.encode(to: &writer)
    losses.encode(to: &writer)
    endedInputs.count.encode(to: &writer)
    (memory != nil).encode(to: &writer)
    memory?.retention.expire(at: engine.clock.now)
    memory?.encode(to: &writer)
    let body = body.flatMap { $0.hasEnded ? nil : $0 }
    (body != nil).encode(to: &writer)
    if let body { writer.part { body.encode(to: &$0) } }
    networkMemory?.encode(to: &writer)
  }

  /// Restores the saved state; its body resumes once it is built.
  func restore(from reader: inout StateDecoder) throws(StateError) {
    sequence = try UInt64(from: &reader)
    lastTime = try Int64?(from: &reader)
    end = try SignalEnd?(from: &reader)
    try losses.restore(from: &reader)
    endedInputs.restore(count: try Int(from: &reader))
    if try Bool(from: &reader) { try remembering().restore(from: &reader) }
    keptBody = try Bool(from: &reader) ? KeptState(try reader.part()) : nil
    // A state of version 1.0 may lack it, where a reload had made the signal one of the network.
    if !reader.isAtEnd { try networkMemory?.restore(from: &reader) }
    if !reader.isAtEnd { throw StateError("unexpected state of \(name)") }
  }

  /// Discards a saved state that does not fit, so that the signal starts fresh.
  func discardKept() {
    keptBody = nil
    if !isMirror { end = nil }
  }

  /// Completes restoring, once all parts of its body exist.
  func finishRestoring() {
    // A lazy signal without returning subscribers has stopped.
    if body == nil { keptBody = nil }
  }
}
