import ClientCore
import Testing

struct UnansweredRequestsTests {
  /// Three requests with one-letter lines; the second may not be repeated.
  private static func three() -> UnansweredRequests {
    var requests = UnansweredRequests()
    for (number, name) in ["a", "b", "c"].enumerated() {
      requests.add(Array(name.utf8), number: number + 1, isRepeatable: name != "b")
    }
    return requests
  }

  private static func text(_ requests: inout UnansweredRequests) -> String {
    String(decoding: requests.takeUnwritten(), as: UTF8.self)
  }

  @Test func `each request is written once on a connection, and answered once`() {
    var requests = Self.three()
    #expect(Self.text(&requests) == "abc")
    #expect(Self.text(&requests) == "")
    requests.answer(2)
    requests.answer(2)
    #expect(requests.oldest == 1 && requests.count == 2)
    requests.answer(1)
    #expect(requests.oldest == 3 && requests.count == 1)
  }

  @Test func `the next connection repeats what may be repeated, in order, and the rest is lost`() {
    var requests = Self.three()
    _ = requests.takeUnwritten()
    #expect(requests.reconnect() == [2])
    requests.add(Array("d".utf8), number: 4, isRepeatable: false)
    #expect(Self.text(&requests) == "acd")
  }

  @Test func `a request that was not written is not lost with a connection`() {
    var requests = Self.three()
    #expect(requests.reconnect() == [])
    #expect(Self.text(&requests) == "abc")
  }

  @Test func `a postponed request is written again on request, or on the next connection`() {
    var requests = Self.three()
    _ = requests.takeUnwritten()
    requests.postpone(3)
    requests.postpone(1)
    #expect(Self.text(&requests) == "")
    requests.resume()
    #expect(Self.text(&requests) == "ac")
    requests.postpone(1)
    _ = requests.reconnect()
    #expect(Self.text(&requests) == "ac")
    requests.resume()
    #expect(Self.text(&requests) == "")
  }

  @Test func `an abandoned request is not written, and one that was written is not repeated`() {
    var requests = Self.three()
    requests.abandon(3)
    #expect(Self.text(&requests) == "ab")
    requests.abandon(1)
    #expect(requests.count == 2)
    #expect(requests.reconnect() == [1, 2])
    #expect(requests.isEmpty)
  }
}
