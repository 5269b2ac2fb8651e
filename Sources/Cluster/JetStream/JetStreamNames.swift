/// The names of a log's streams and subjects on the servers.
package struct JetStreamNames: Equatable, Sendable {
  /// The first part of all subjects, which separates clusters that share servers.
  package let prefix: String
  package let log: LogName

  package init(prefix: String, log: LogName) {
    self.prefix = prefix
    self.log = log
  }

  /// The stream of the log: names of graphs have no characters that names of streams cannot have.
  ///
  /// Two logs may have the same one, as `a_b` and `c`, and `a` and `b_c`. Their subjects differ, so that the second is
  /// refused when it is created.
  package var stream: String { "SB_LOG_\(prefix)_\(log.graph)_\(log.partition)" }
  /// The stream of the chunks of all logs.
  package var chunkStream: String { "SB_SNAPSHOTS_\(prefix)" }
  package var chunkSubject: String { "\(prefix).snapshots.\(log)" }
  /// The subject of heartbeats.
  package var heartbeatSubject: String { "\(prefix).nodes" }

  package func subject(_ subject: LogSubject) -> String { "\(prefix).log.\(log).\(subject.rawValue)" }

  /// The subject of sends to the owner of a term: one that was replaced does not receive them.
  package func ownerSubject(term: UInt64) -> String { "\(prefix).owner.\(log).\(term)" }
}
