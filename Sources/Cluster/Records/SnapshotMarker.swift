internal import Signals
internal import StateLog

/// The record that makes a snapshot count: it names the chunks, and the place in the log from which reading continues.
package struct SnapshotMarker: Equatable, Sendable {
  /// The number of the last commit included.
  package var number: UInt64
  package var time: Int64
  /// The rolling hash of all events up to it.
  package var hash: UInt64
  /// The sequence of the last record included.
  package var sequence: UInt64
  /// The chain of all records up to that one.
  package var chain: UInt64
  /// The identity of the log's history: the boot of its first owner.
  package var epoch: String
  /// The sequences of the chunks in their stream, in order.
  package var chunks: [UInt64]
  /// The size of the encoded snapshot.
  package var size: Int
  /// The checksum of the encoded snapshot.
  package var checksum: UInt64
}

extension SnapshotMarker {
  /// Reads the marker in a reply; `nil` if it contains none.
  package init?(_ reply: StreamReply) {
    guard case .message(let message) = reply, let record = try? LogRecord(message.bytes),
      case .snapshot(let marker) = record.content
    else { return nil }
    self = marker
  }

  var encoded: [UInt8] {
    var encoder = StateEncoder()
    encoder.number(sequence)
    encoder.bits(chain)
    encoder.text(epoch)
    encoder.count(size)
    encoder.bits(checksum)
    encoder.count(chunks.count)
    var last: UInt64 = 0
    for chunk in chunks {
      encoder.number(chunk &- last)
      last = chunk
    }
    return encoder.bytes
  }

  init(_ record: RecordBytes) throws(StateError) {
    (number, time, hash) = (record.number, record.time, record.hash)
    var decoder = StateDecoder(record.first)
    sequence = try decoder.number()
    chain = try decoder.bits()
    epoch = try decoder.text()
    guard let size = Int(exactly: try decoder.number()) else { throw StateError("size out of range") }
    self.size = size
    checksum = try decoder.bits()
    chunks = []
    var last: UInt64 = 0
    for _ in 0..<(try decoder.count()) {
      last &+= try decoder.number()
      chunks.append(last)
    }
    try decoder.finish()
  }
}

/// A chunk of an encoded snapshot, in a stream without a fence: only a marker says that it counts.
package struct SnapshotChunk: Equatable, Sendable {
  /// The number of the snapshot's last commit.
  package var number: UInt64
  /// The number of this chunk, from 0.
  package var index: UInt16
  /// The number of chunks.
  package var count: UInt32
  package var bytes: ArraySlice<UInt8>
}

extension Snapshot {
  /// Returns the bytes that are divided into chunks.
  func encoded(emitted: [UInt8]) -> [UInt8] {
    var encoder = StateEncoder()
    encoder.number(number)
    encoder.signed(time)
    encoder.bits(hash)
    encoder.blob(configuration)
    encoder.blob(state)
    encoder.blob(emitted)
    return encoder.bytes
  }

  static func decoded(_ bytes: [UInt8]) throws(StateError) -> (snapshot: Snapshot, emitted: [UInt8]) {
    var decoder = StateDecoder(bytes)
    let snapshot = Snapshot(
      number: try decoder.number(), time: try decoder.signed(), hash: try decoder.bits(),
      configuration: Array(try decoder.blob()), state: Array(try decoder.blob()))
    let emitted = Array(try decoder.blob())
    try decoder.finish()
    return (snapshot, emitted)
  }
}
