import Base

/// The limits of everything that a client or a graph can make the daemon do or hold.
package struct Limits: Sendable, Equatable {
  /// Clients connected at once.
  package var connections = 10_000
  /// Bytes of a line from a client, a file or a program.
  package var line = 1 << 20
  /// The deepest nesting of a line.
  package var depth = 128
  /// Bytes buffered for one slow connection.
  package var output = 1 << 20
  /// Bytes buffered for all clients together.
  package var memory = 256 << 20
  /// The greatest age of an unfinished line.
  package var unfinished = Duration.seconds(30)
  /// Subscriptions of all clients together.
  package var subscriptions = 1_000_000
  package var user = UserLimits()
  package var client = ClientLimits()
  /// Values of one turn.
  package var turn = 100_000
  /// The longest time of a turn of a graph that is not durable.
  package var turnTime = Duration.seconds(1)
  /// Turns from one cause.
  package var chain = 1_000
  /// Bytes of a value that an operator or an expression produces.
  package var value = 1 << 20
  /// Steps of one evaluation of an expression.
  package var expression = 100_000
  /// Series of all metrics together.
  package var series = 10_000

  package init() {}

  static let keys = [
    "connections", "line", "depth", "output", "memory", "unfinished", "subscriptions", "user", "client", "turn",
    "turn_time", "chain", "value", "expression", "series",
  ]

  /// The greatest depth that recursive encoding and decoding of values can bear.
  private static let greatestDepth = 1_024

  init(reading reader: MappingReader) {
    connections = reader.optional("connections")?.count(from: 1) ?? connections
    line = reader.optional("line")?.size(in: 1...SizeText.greatest) ?? line
    depth = reader.optional("depth")?.int(in: 1...Self.greatestDepth) ?? depth
    output = reader.optional("output")?.size(in: 1...SizeText.greatest) ?? output
    memory = reader.optional("memory")?.size(in: 1 ... .max) ?? memory
    unfinished = reader.optional("unfinished")?.duration(in: .milliseconds(1)...DurationText.longest) ?? unfinished
    subscriptions = reader.optional("subscriptions")?.count(from: 1) ?? subscriptions
    if let section = reader.section("user", of: UserLimits.keys) { user = UserLimits(reading: section) }
    if let section = reader.section("client", of: ClientLimits.keys) { client = ClientLimits(reading: section) }
    turn = reader.optional("turn")?.count(from: 1) ?? turn
    turnTime = reader.optional("turn_time")?.duration(in: .milliseconds(10)...DurationText.longest) ?? turnTime
    chain = reader.optional("chain")?.count(from: 1) ?? chain
    value = reader.optional("value")?.size(in: 1...SizeText.greatest) ?? value
    expression = reader.optional("expression")?.count(from: 1) ?? expression
    series = reader.optional("series")?.count(from: 1) ?? series
  }
}
