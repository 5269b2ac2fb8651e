import GraphEngine
import JSON
import Signals
import Testing

@testable import Persistence

/// Durable graphs that follow the files of a glob pattern.
@Suite struct `Durable graphs that follow many files` {
  private func place(_ inode: UInt64, _ offset: Int64) -> TailPlace {
    TailPlace(device: 1, inode: inode, offset: offset)
  }

  @Test(arguments: [false, true])
  func `every file is resumed where it was, in the midst of a line`(hasSnapshot: Bool) throws {
    let host = try DurableHost(
      "g: {durable: true, signals: {t: {tail: {path: /d/*, glob: true}, pipe: [{map: .value}], replay: 10}}}")
    let (a, b) = (FileNumbers(device: 1, inode: 1), FileNumbers(device: 1, inode: 2))
    host.world.tell(.began(place(1, 5), path: "/d/a"), .looked, .began(place(2, 0), path: "/d/b"))
    host.world.tell(.tail(.appended(Array("1\n2".utf8)), of: a), .tail(.reached(place(1, 8)), of: a))
    host.world.tell(.tail(.appended(Array("3\n".utf8)), of: b), .tail(.rotated, of: b), .ended(b))
    host.settle()
    if hasSnapshot { host.present.takeSnapshot() }
    try host.kill()
    #expect(host.world.globStarts == [.end, .places([.init(path: "/d/a", place: place(1, 8))])])
    host.world.tell(.looked, .tail(.appended(Array("0\n".utf8)), of: a))
    host.settle()
    #expect(host.told(of: "g.t") == [#"g.t 1 "1""#, #"g.t 2 "3""#, #"g.t 3 "20""#])
  }

  @Test(arguments: [false, true])
  func `a line in another encoding is resumed, and one without a match stays skipped`(hasSnapshot: Bool) throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          t:
            tail: {path: /d/*, glob: true, encoding: latin1, format: {regex: '^(?<a>é.+)', unmatched: skip}}
            pipe: [{map: .value}]
            replay: 10
      """)
    let a = FileNumbers(device: 1, inode: 1)
    host.world.tell(.began(place(1, 0), path: "/d/a"), .looked)
    host.world.tell(.tail(.appended([0x78, 0x0A, 0xE9, 0x31, 0x0A, 0xE9]), of: a), .tail(.reached(place(1, 6)), of: a))
    host.settle()
    if hasSnapshot { host.present.takeSnapshot() }
    try host.kill()
    #expect(host.world.globStarts.last == .places([.init(path: "/d/a", place: place(1, 6))]))
    host.world.tell(.looked, .tail(.appended([0xFC, 0x0A, 0x78, 0x0A]), of: a))
    host.settle()
    #expect(host.told(of: "g.t") == [#"g.t 1 {"a":"é1"}"#, #"g.t 2 {"a":"éü"}"#])
  }
}
