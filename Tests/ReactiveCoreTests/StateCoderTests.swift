import ReactiveCore
import Testing

/// Values that list their fields once, in encoded states.
@Suite struct `A state of fields` {
  private struct Reading: StateRecord, Equatable {
    let name: String
    let number: Int
    let note: String?
    let bytes: [UInt8]

    init(name: String, number: Int, note: String?, bytes: [UInt8]) {
      (self.name, self.number, self.note, self.bytes) = (name, number, note, bytes)
    }

    init(_ field: inout StateCoder<Self>) throws(StateError) {
      name = try field(\.name)
      number = try field(\.number)
      note = try field(\.note)
      bytes = try field(\.bytes)
    }
  }

  private enum Phase: UInt8, StateCodable {
    case open = 1
    case closed
  }

  private final class Counter: StateFields {
    var count = 0
    var phase = Phase.open
    var last: Reading?
    var part: [UInt8] = []
    var restored = 0

    func code(_ field: inout StateCoder<Counter>) throws(StateError) {
      try field(&count)
      try field.require(count < 100, "too many")
      try field(\.phase) {
        phase = $0
        restored += 1
      }
      try field(&last)
      if try field({ !$0.part.isEmpty }) {
        try field.part({ $0.part.encode(to: &$1) }) { part in
          var part = part
          self.part = (try? [UInt8](from: &part)) ?? []
        }
      }
    }
  }

  private struct Pair: StateFields {
    var left = 1
    let right = Counter()

    mutating func code(_ field: inout StateCoder<Self>) throws(StateError) {
      try field(&left)
      try field(right)
    }
  }

  private let reading = Reading(name: "n", number: -2, note: nil, bytes: [7, 8])

  private func bytes(_ encode: (inout StateEncoder) -> Void) -> [UInt8] {
    var writer = StateEncoder()
    encode(&writer)
    return writer.bytes
  }

  @Test func `has its fields in the order in which they are listed`() {
    #expect(bytes { reading.encode(to: &$0) } == [1, 110, 3, 0, 2, 7, 8])
  }

  @Test func `is read as it was written, and nothing beyond it`() throws {
    let written = bytes {
      [reading, reading].encode(to: &$0)
      $0.byte(9)
    }
    var reader = StateDecoder(written)
    #expect(try [Reading](from: &reader) == [reading, reading])
    #expect(try reader.byte() == 9)
  }

  @Test func `is refused where a field is missing`() {
    for count in 0..<7 {
      var reader = StateDecoder(bytes { reading.encode(to: &$0) }[..<count])
      #expect(throws: StateError.self) { try Reading(from: &reader) }
    }
  }

  @Test func `restores a variable in place, and an object within it`() throws {
    var pair = Pair()
    (pair.left, pair.right.count, pair.right.phase) = (5, 6, .closed)
    (pair.right.last, pair.right.part) = (reading, [1, 2, 3])
    let written = bytes { pair.encode(to: &$0) }
    #expect(pair.right.restored == 0, "encoding restores nothing")
    var (reader, other) = (StateDecoder(written), Pair())
    try other.restore(from: &reader)
    #expect(reader.isAtEnd)
    #expect((other.left, other.right.count, other.right.restored) == (5, 6, 1))
    #expect((other.right.phase, other.right.last, other.right.part) == (.closed, reading, [1, 2, 3]))
    #expect(bytes { other.encode(to: &$0) } == written)
  }

  @Test func `is checked while it is decoded only`() {
    let counter = Counter()
    counter.count = 100
    var reader = StateDecoder(bytes { counter.encode(to: &$0) })
    #expect(throws: StateError.self) { try Counter().restore(from: &reader) }
  }

  @Test func `refuses a raw value that stands for nothing`() throws {
    var reader = StateDecoder([2, 3])
    #expect(try Phase(from: &reader) == .closed)
    #expect(throws: StateError.self) { try Phase(from: &reader) }
  }

  @Test func `has the values of a case after its number`() {
    #expect(bytes { $0.kind(7) } == [7])
    #expect(bytes { $0.kind(4, "a", 1, [UInt8]?.none) } == [4, 1, 97, 2, 0])
  }

  @Test func `has a dictionary by its keys, however its table is ordered`() throws {
    let numbers = Dictionary(uniqueKeysWithValues: (0..<1000).map { (String($0), Int?.some($0)) })
    let written = bytes { numbers.encode(to: &$0) }
    #expect(
      written
        == bytes {
          $0.count(numbers.count)
          for name in numbers.keys.sorted() {
            name.encode(to: &$0)
            Int(name).encode(to: &$0)
          }
        })
    var reader = StateDecoder(written)
    #expect(try [String: Int?](from: &reader) == numbers)
    var absent = StateDecoder([1, 1, 97, 0])
    #expect(try [String: Int?](from: &absent) == ["a": Int?.none])
  }

  @Test(arguments: [Int32.min, -1, 0, .max]) func `has numbers of 32 bits within their range`(number: Int32) throws {
    var reader = StateDecoder(bytes { number.encode(to: &$0) })
    #expect(try Int32(from: &reader) == number)
    var below = StateDecoder(bytes { (Int64(Int32.min) - 1).encode(to: &$0) })
    #expect(throws: StateError.self) { try Int32(from: &below) }
  }

  @Test(arguments: [0, 1, 126, 127, 128, 129, 16_383, 16_384, 70_000])
  func `has parts behind their length, also within each other`(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let written = bytes {
      $0.byte(1)
      $0.part { outer in
        outer.byte(2)
        outer.part { $0.append(content[...]) }
        outer.byte(3)
      }
      $0.byte(4)
    }
    let inner = bytes { $0.blob(content) }
    #expect(written == [1] + bytes { $0.blob([2] + inner + [3]) } + [4])
  }
}
