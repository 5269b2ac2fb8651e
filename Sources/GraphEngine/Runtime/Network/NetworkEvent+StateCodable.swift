import GraphModel
import JSON
package import Signals

extension NetworkEvent: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .items(let items, let position, let message): writer.kind(0, items, position, message)
    case .failed(let failure, let status): writer.kind(1, failure, status)
    case .completed: writer.kind(2)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0:
      self = .items(
        try [NetworkItem](from: &reader), position: try String?(from: &reader), message: try String?(from: &reader))
    case 1: self = .failed(try SignalFailure(from: &reader), status: try Int32?(from: &reader))
    case 2: self = .completed
    default: throw StateError("an event of the network of an unknown kind")
    }
  }
}

extension NetworkItem: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .value(let value): writer.kind(0, value)
    case .record(let bytes): writer.kind(1, bytes)
    case .message(let bytes, let details): writer.kind(2, bytes, details)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .value(try Payload(from: &reader))
    case 1: self = .record(try [UInt8](from: &reader))
    case 2: self = .message(try [UInt8](from: &reader), try JSONObject(from: &reader))
    default: throw StateError("an item of an unknown kind")
    }
  }
}

extension TaskAnswer: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .progress(let value): writer.kind(0, value)
    case .done(let value): writer.kind(1, value)
    case .failed(let failure, let status, let advice): writer.kind(2, failure, status, advice)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .progress(try JSONValue(from: &reader))
    case 1: self = .done(try JSONValue?(from: &reader))
    case 2:
      self = .failed(
        try SignalFailure(from: &reader), status: try Int32?(from: &reader), try RetryAdvice(from: &reader))
    default: throw StateError("an answer of an unknown kind")
    }
  }
}

extension RetryAdvice: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    self.init(isUseful: try field(\.isUseful), pause: try field(\.pause))
  }
}
