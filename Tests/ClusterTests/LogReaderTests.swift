import Signals
import Testing

@testable import Cluster

@Suite struct `The reader of a log` {
  private func actions(_ reader: inout LogReader, untilSecond end: Int) -> [(Int, StreamAction)] {
    var found: [(Int, StreamAction)] = []
    while reader.deadline <= .zero + .seconds(end) {
      let now = reader.deadline
      found += reader.timePassed(next: 5, at: now).map { (Int((now - .zero) / .seconds(1)), $0) }
    }
    return found
  }

  @Test func `is asked for again until it begins, and given up after ten seconds`() {
    var reader = LogReader()
    let first = reader.start(from: 5, at: .zero)
    #expect(first == [.startReader(1, from: 5)])
    let found = actions(&reader, untilSecond: 10)
    #expect(found.dropLast(2).map(\.0) == Array(1...9))
    #expect(found.dropLast(2).allSatisfy { $0.1 == .startReader(1, from: 5) })
    #expect(found.suffix(2).map(\.1) == [.stopReader(1), .startReader(2, from: 5)])
  }

  @Test(arguments: [true, false]) func `is asked for no more once it lives`(delivers: Bool) {
    var reader = LogReader()
    _ = reader.start(from: 5, at: .zero)
    let second = Instant.zero + .seconds(1)
    if delivers {
      let delivery = reader.accepts(1, 5, next: 5, at: second)
      #expect(delivery == .next)
    } else {
      let isShort = reader.isShort(1, delivered: 4, next: 5, known: 4, at: second)
      #expect(!isShort)
    }
    let found = actions(&reader, untilSecond: 4)
    #expect(found.map(\.1) == [.stopReader(1), .startReader(2, from: 5)])
  }
}
