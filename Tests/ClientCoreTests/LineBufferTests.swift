import ClientCore
import Testing

struct LineBufferTests {
  private static let text = Array("one\n\nthree is longer\nfour".utf8)

  @Test(arguments: 1...text.count)
  func `lines are the same for all boundaries of chunks`(size: Int) {
    var buffer = LineBuffer()
    var lines: [String] = []
    for start in stride(from: 0, to: Self.text.count, by: size) {
      buffer.append(Array(Self.text[start..<min(start + size, Self.text.count)]))
      while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    #expect(lines == ["one", "", "three is longer"])
    #expect(buffer.count == 4)
    #expect(buffer.rest().map(Array.init) == Array("four".utf8))
    #expect(buffer.isEmpty && buffer.rest() == nil && buffer.next() == nil)
  }

  @Test func `a line outlasts later chunks`() {
    var buffer = LineBuffer()
    buffer.append(Array("one\ntw".utf8))
    let line = buffer.next()
    buffer.append(Array("o\n".utf8))
    #expect(line.map(Array.init) == Array("one".utf8))
    #expect(buffer.next().map(Array.init) == Array("two".utf8))
  }
}
