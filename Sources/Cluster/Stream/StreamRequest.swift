/// A request to the streams of a log.
///
/// A request and its reply may be lost, repeated and late without bound: the one who asks has a deadline of its own, and
/// asks again.
package enum StreamRequest: Equatable, Sendable {
  /// Store a record at the end of the log, if that is behind the given sequence.
  case append(LogSubject, [UInt8], after: UInt64)
  /// Return the record of the log at a sequence.
  case message(at: UInt64)
  /// Return the newest marker of a snapshot.
  case newestMarker
  /// Return the first and the last sequence of the log.
  case info
  /// Remove the records of the log below a sequence, which is above 1: JetStream removes everything below 0 or 1.
  case purge(below: UInt64)
  /// Store a chunk of a snapshot.
  case appendChunk([UInt8])
  /// Return the chunk at a sequence of the chunks' stream.
  case chunk(at: UInt64)
  /// Remove the chunks of this log below a sequence of their stream, which is above 1.
  case purgeChunks(below: UInt64)
}

/// The reply to a request.
package enum StreamReply: Equatable, Sendable {
  /// The message has this sequence.
  case stored(UInt64)
  /// The stream does not end where the append expects it; it ends at this sequence, as far as the server says.
  ///
  /// It may also mean that an earlier copy of the same append was stored.
  case refused(last: UInt64?)
  case message(StoredMessage)
  /// There is no such message, as far as this server knows.
  case missing
  case info(first: UInt64, last: UInt64)
  case purged
  /// No server could answer: there is no leader, or no responder.
  case unavailable
}

/// The identity of a request: repetitions of an append have the same one, since any of their replies settles it.
package struct RequestID: Hashable, Sendable {
  /// The part of a log that asks.
  enum Part: Hashable, Sendable { case appending, reading, locating, writingChunks, purging }

  let part: Part
  let number: Int
}

/// The identity of a reader: what an abandoned one still delivers is recognised by it.
package typealias ReaderID = Int

/// The next step of a log that only its surroundings can take.
package enum StreamAction: Equatable, Sendable {
  case request(RequestID, StreamRequest)
  /// Deliver the records of the log from a sequence on, in order, with a heartbeat each second.
  ///
  /// It is asked for again until something comes; a reader that exists stays.
  case startReader(ReaderID, from: UInt64)
  case stopReader(ReaderID)
}
