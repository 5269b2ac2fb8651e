import Testing

@testable import WireProtocol

@Suite struct `Frames of the relay` {
  static let message = RelayMessage(
    subject: "$JS.API.STREAM.INFO.A", reply: "_INBOX.1", headers: ["Status": "100", "Ä": ""],
    payload: [0, 10, 13, 255])
  static let frames: [RelayFrame] = [
    .connect(Array("{}".utf8)), .publish(message), .publish(RelayMessage(subject: "a")),
    .subscribe(7, subject: "a.>"), .unsubscribe(.max), .connected(server: "nats://a:4222"), .disconnected("timeout"),
    .message(1, message),
  ]

  @Test(arguments: [1, 3, 4096]) func `arrive as they were sent, in pieces of any size`(size: Int) throws {
    var bytes: [UInt8] = []
    for frame in Self.frames { frame.append(to: &bytes) }
    var reader = RelayFrameReader()
    var read: [RelayFrame] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.append(Array(bytes[start..<min(start + size, bytes.count)]))
      while let frame = try reader.next() { read.append(frame) }
    }
    #expect(read == Self.frames)
  }

  @Test(
    arguments: [
      [1, 0, 0, 0, 99], [0, 0, 0, 0], [2, 0, 0, 0, 3, 0], [255, 255, 255, 255, 1], [6, 0, 0, 0, 4, 1, 0, 0, 0, 9],
      [5, 0, 0, 0, 3, 255, 255, 255, 127],
    ] as [[UInt8]])
  func `that are none end the connection`(bytes: [UInt8]) {
    var reader = RelayFrameReader()
    reader.append(bytes)
    #expect(throws: RelayFrameReader.Broken.self) { try reader.next() }
  }

  @Test func `wait for the parts that are missing`() throws {
    var bytes: [UInt8] = []
    RelayFrame.publish(Self.message).append(to: &bytes)
    var reader = RelayFrameReader()
    reader.append(bytes.dropLast())
    #expect(try reader.next() == nil)
    reader.append([bytes[bytes.count - 1]])
    #expect(try reader.next() == .publish(Self.message))
  }
}
