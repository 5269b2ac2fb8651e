/// The bounds of what clients can make a server hold.
package struct HTTPLimits: Sendable {
  /// Connections at once; further ones wait until one has ended.
  package var connections: Int
  /// How long a client may take with a request, or with reading an answer, without moving at all.
  package var patience = Duration.seconds(30)
  /// The bytes of a connection: a request's line and headers have to fit, else they are answered with 414 or 431.
  package var headerBytes = 16 << 10
  /// The bytes of a body; one that says it has more, or has, is answered with 413.
  package var bodyBytes = 1 << 20

  package init(connections: Int) { self.connections = connections }
}
