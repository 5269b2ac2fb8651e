import WireProtocol

/// A request that the daemon executes.
protocol DaemonRequest: WireRequest {
  /// True if it visits all signals, for which its client is charged.
  static var looksThroughSignals: Bool { get }

  /// The effect on the daemon for the audit log, as a word and its object; `nil` without any.
  var effect: String? { get }

  /// Executes the request, and replies.
  ///
  /// - Returns: `hold` if it has to wait, and will be executed again.
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow
}

extension DaemonRequest {
  static var looksThroughSignals: Bool { false }
  var effect: String? { nil }
}

extension RequestLine {
  /// Returns the request for its execution.
  func executable() throws(Refusal) -> any DaemonRequest {
    guard let request = request as? any DaemonRequest else {
      throw refusal(WireError(.internal, "the daemon has no handler of this request"))
    }
    return request
  }
}
