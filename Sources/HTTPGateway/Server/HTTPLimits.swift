/// The limits on what clients can make a server hold.
struct HTTPLimits: Sendable {
  /// The most connections at once; further ones wait until one has closed.
  var connections: Int
  /// The longest time without progress in sending a request or in reading a response.
  var patience = Duration.seconds(30)
  /// The longest time in which a client may send the head of a request, and then the first bytes of its body.
  ///
  /// Without it, a client that sends a byte now and then would keep its connection for days.
  var requestPatience = Duration.seconds(30)
  /// The bytes of a body that are worth a further second.
  var bodyRate = 8 << 10
  /// The memory of a connection in bytes: the request line and headers must fit, otherwise they are answered with 414
  /// or 431.
  var headerBytes = 16 << 10
  /// The bytes of a body that each connection may hold.
  ///
  /// A longer body must be allowed explicitly, and takes its further bytes from the server's pool; one that announces
  /// or has more than its limit is answered with 413.
  var bodyBytes = 1 << 20

  init(connections: Int) { self.connections = connections }
}
