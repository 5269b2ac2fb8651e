import GraphModel
import JSON
package import ReactiveCore

extension NetworkEvent: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .items(let items, let position, let message):
      writer.byte(0)
      items.encode(to: &writer)
      position.encode(to: &writer)
      message.encode(to: &writer)
    case .failed(let failure, let status):
      writer.byte(1)
      failure.encode(to: &writer)
      status.map(Int.init).encode(to: &writer)
    case .completed: writer.byte(2)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0:
      let items = try [NetworkItem](from: &reader)
      let position = try String?(from: &reader)
      self = .items(items, position: position, message: try String?(from: &reader))
    case 1:
      let failure = try SignalFailure(from: &reader)
      self = .failed(failure, status: try Int?(from: &reader).map { Int32(truncatingIfNeeded: $0) })
    case 2: self = .completed
    default: throw StateError("an event of the network of an unknown kind")
    }
  }
}

extension NetworkItem: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .value(let value):
      writer.byte(0)
      value.encode(to: &writer)
    case .record(let bytes):
      writer.byte(1)
      writer.blob(bytes)
    case .message(let bytes, let details):
      writer.byte(2)
      writer.blob(bytes)
      JSONValue.object(details).encode(to: &writer)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .value(try Payload(from: &reader))
    case 1: self = .record(Array(try reader.blob()))
    case 2:
      let bytes = Array(try reader.blob())
      guard case .object(let details) = try JSONValue(from: &reader).plain else { throw StateError("no details") }
      self = .message(bytes, details)
    default: throw StateError("an item of an unknown kind")
    }
  }
}

extension TaskAnswer: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .progress(let value):
      writer.byte(0)
      value.encode(to: &writer)
    case .done(let value):
      writer.byte(1)
      value.encode(to: &writer)
    case .failed(let failure, let status, let advice):
      writer.byte(2)
      failure.encode(to: &writer)
      status.map(Int.init).encode(to: &writer)
      advice.isUseful.encode(to: &writer)
      advice.pause.encode(to: &writer)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .progress(try JSONValue(from: &reader))
    case 1: self = .done(try JSONValue?(from: &reader))
    case 2:
      let failure = try SignalFailure(from: &reader)
      let status = try Int?(from: &reader).map { Int32(truncatingIfNeeded: $0) }
      let isUseful = try Bool(from: &reader)
      self = .failed(failure, status: status, RetryAdvice(isUseful: isUseful, pause: try Duration?(from: &reader)))
    default: throw StateError("an answer of an unknown kind")
    }
  }
}
