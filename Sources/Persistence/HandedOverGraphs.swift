package import ReactiveCore

/// Durable graphs as they stand when a process hands over, beside what is in their folder.
package struct HandedOverGraphs: Storable {
  /// The lazy signals of other graphs to which they listen: to those they count as listeners already.
  package let heard: [String]
  /// How far their clock is ahead of the daemon's.
  let clockOffset: Duration

  init(heard: [String], clockOffset: Duration) {
    self.heard = heard
    self.clockOffset = clockOffset
  }

  package func store(in writer: inout StateWriter) {
    heard.store(in: &writer)
    clockOffset.store(in: &writer)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    heard = try [String](from: &reader)
    clockOffset = try Duration(from: &reader)
  }
}
