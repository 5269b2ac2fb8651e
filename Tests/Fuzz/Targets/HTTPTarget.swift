import JSON
import WireProtocol

@testable import HTTPGateway

/// A request to the gateway: it is routed or refused by a problem in JSON, and no header of an answer contains a line
/// from the sender; positions and lines of values are parsed as they were written.
enum HTTPTarget {
  static func run(_ bytes: [UInt8]) {
    let request = request(bytes)
    answer { () throws(Problem) in _ = try Router.find(request, among: Routes.all) }
    answer { () throws(Problem) in try OriginRule(names: ["graphs.example"]).check(request) }
    readValue(request)
    readPosition(request)
    readLine(request.body)
    let text = String(decoding: request.body, as: UTF8.self)
    _ = try? AccessFile(text, path: "tokens") { (_) throws(AccessFileError) in [1] }
  }

  /// Parses a request leniently: the first line is method and target, then headers, then a body.
  private static func request(_ bytes: [UInt8]) -> HTTPRequest {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    let first = text(lines.popFirst() ?? []).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let target = first.dropFirst().first ?? ""
    let path = target.prefix { $0 != "?" }
    var request = HTTPRequest(method: first.first ?? "", path: String(path))
    request.query = target.dropFirst(path.count + 1).split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return (String(name), String(pair.dropFirst(name.count + 1)))
    }
    while let line = lines.popFirst(), !line.isEmpty {
      let name = line.prefix { $0 != UInt8(ascii: ":") }
      request.headers.append((text(name), text(line.dropFirst(name.count + 1).drop { $0 == UInt8(ascii: " ") })))
    }
    request.body = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    return request
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

  private static func answer(_ work: () throws(Problem) -> Void) {
    do throws(Problem) { try work() } catch {
      let response = error.response
      require(400..<600 ~= response.status, "a problem has a status of its kind")
      require(isJSON(response.body.dropLast()), "a problem is JSON")
      for (name, value) in response.headers {
        require(!(name + value).utf8.contains { $0 < 0x20 }, "a header is a line")
      }
    }
  }

  private static func readValue(_ request: HTTPRequest) {
    let hook = Webhook(name: "hook", signal: "a.b", header: "X-Signature", secret: [1])
    answer { () throws(Problem) in
      let value = try HookValue.value(of: request, for: hook)
      require(isJSON(value.json[...]), "what a webhook brings is JSON")
      require(!value.json.contains(UInt8(ascii: "\n")), "and one line")
    }
    require(
      !hook.isSigned(request.body, by: request.header("X-Signature")) || !request.body.isEmpty, "a signature is made")
  }

  private static func readPosition(_ request: HTTPRequest) {
    let text = request.header("Last-Event-ID") ?? ""
    for count in 1...2 {
      guard let position = EventPosition(text, sections: count), let again = position.text else { continue }
      require(EventPosition(again, sections: count) == position, "a position is read as it was written")
    }
  }

  /// The fast path for a line agrees with the thorough one.
  private static func readLine(_ line: [UInt8]) {
    let next = NextLine(line.span)
    guard let next, let careful = try? ServerLine(line.span) else { return }
    require(careful.kind == .event("next"), "a line of a value is one")
    require(careful["seq"]?.bytes == Array(String(next.seq).utf8), "its number is its number")
  }

  private static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    var parser = JSONParser()
    return (try? parser.value(of: Array(bytes).span, maximumDepth: 4096)) != nil
  }
}
