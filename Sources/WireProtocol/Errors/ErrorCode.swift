/// The code of a refusal; it never changes its meaning within a version of the protocol.
package enum ErrorCode: String, Sendable, CaseIterable {
  case badJSON = "bad_json"
  case badRequest = "bad_request"
  case unknownOp = "unknown_op"
  case unknownSignal = "unknown_signal"
  case unknownAction = "unknown_action"
  case notAnInput = "not_an_input"
  case badValue = "bad_value"
  case ended
  case alreadySubscribed = "already_subscribed"
  case notSubscribed = "not_subscribed"
  case noValue = "no_value"
  case unknownGraph = "unknown_graph"
  case badConfig = "bad_config"
  case failed
  case denied
  case disabled
  case busy
  case tooLong = "too_long"
  case tooDeep = "too_deep"
  case tooMany = "too_many"
  case expired
  case timeout
  case storage
  /// The graph runs on another node of the cluster, or on none, and cannot be reached at present.
  case unavailable
  /// A server has answered with an error; the status tells which.
  case http
  /// A peer on the network could not be reached.
  case connect
  /// The encrypted connection to a peer could not be set up.
  case tls
  /// The answer of a peer exceeds the limit of its connection.
  case tooLarge = "too_large"
  case shuttingDown = "shutting_down"
  /// A call that was running when the daemon was replaced.
  case restarted
  case `internal`
}
