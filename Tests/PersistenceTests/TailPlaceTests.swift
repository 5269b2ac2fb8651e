import GraphEngine
import Signals
import Testing

/// The positions of followed files in encoded states.
@Suite struct `The place up to which a file was read` {
  private let place = TailPlace(device: 1, inode: 300, offset: 64)

  private func bytes(_ place: TailPlace) -> [UInt8] {
    var writer = StateEncoder()
    place.encode(to: &writer)
    return writer.bytes
  }

  @Test func `without a fingerprint it is what earlier versions have written`() throws {
    #expect(bytes(place) == [1, 0xAC, 0x02, 0x80, 0x01])
  }

  @Test(arguments: [0, 1, 63, 64, Int64.max]) func `with a fingerprint it is read as it was written`(
    offset: Int64
  ) throws {
    let place = TailPlace(device: 1, inode: 2, offset: offset, fingerprint: .init(head: 3, last: .max))
    var reader = StateDecoder(bytes(place))
    #expect(try TailPlace(from: &reader) == place)
    #expect(reader.isAtEnd)
  }
}
