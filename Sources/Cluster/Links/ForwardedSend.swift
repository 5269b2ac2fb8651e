internal import Signals

/// A client's send on its way from the client's node to the owner of a log.
package struct ForwardedSend: Equatable, Sendable {
  /// The number in the link, from 1.
  package let number: UInt64
  /// The number of the oldest send of the link that is not answered.
  package let first: UInt64
  /// The identity that tells the owner of a repetition: the client's message ID, or one of the link.
  package let message: String
  /// The request, opaque to this layer.
  package let request: [UInt8]

  /// The longest request, a little less than what servers take as one message by default.
  package static let longestRequest = 1_000_000

  package init(number: UInt64, first: UInt64, message: String, request: [UInt8]) {
    self.number = number
    self.first = first
    self.message = message
    self.request = request
  }
}

/// The answer of an owner to a forwarded send.
package enum SendAnswer: Equatable, Sendable {
  /// The send is committed: the number of the signal's value, if there is one, and the sequence of the commit.
  case kept(value: UInt64?, isDuplicate: Bool, sequence: UInt64)
  /// The send was refused, with the code and the message of an error.
  case refused(code: String, message: String)
  /// Another send of the link is expected first: all are to be sent again, from the oldest.
  case again
  /// The term is over: its successor is to be asked.
  case moved
}

extension ForwardedSend {
  package var bytes: [UInt8] {
    var encoder = StateEncoder()
    encoder.number(number)
    encoder.number(first)
    encoder.text(message)
    encoder.blob(request)
    return encoder.bytes
  }

  package init?(_ bytes: [UInt8]) {
    var decoder = StateDecoder(bytes)
    do throws(StateError) {
      self.init(
        number: try decoder.number(), first: try decoder.number(), message: try decoder.text(),
        request: Array(try decoder.blob()))
    } catch { return nil }
    guard decoder.isAtEnd else { return nil }
  }
}

extension SendAnswer {
  func encode(to encoder: inout StateEncoder) {
    switch self {
    case .kept(let value, let isDuplicate, let sequence):
      encoder.byte(1)
      value.encode(to: &encoder)
      isDuplicate.encode(to: &encoder)
      encoder.number(sequence)
    case .refused(let code, let message):
      encoder.byte(2)
      encoder.text(code)
      encoder.text(message)
    case .again: encoder.byte(3)
    case .moved: encoder.byte(4)
    }
  }

  init(from decoder: inout StateDecoder) throws(StateError) {
    switch try decoder.byte() {
    case 1:
      self = .kept(
        value: try UInt64?(from: &decoder), isDuplicate: try Bool(from: &decoder), sequence: try decoder.number())
    case 2: self = .refused(code: try decoder.text(), message: try decoder.text())
    case 3: self = .again
    case 4: self = .moved
    default: throw StateError("unknown answer")
    }
  }
}
