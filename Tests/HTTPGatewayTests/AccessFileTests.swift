import Linux
import Testing

@testable import HTTPGateway

/// The file of the permitted users.
@Suite struct AccessFileTests {
  static let hash = String(repeating: "ab", count: 32)

  private func read(_ text: String) throws(AccessFileError) -> AccessFile {
    try AccessFile(text, path: "tokens") { (_) throws(AccessFileError) in [1] }
  }

  @Test func `rights add up, and end at the next word`() throws {
    let file = try read("# all\n\ntoken a sha256:\(Self.hash) read g.* *.alarm send g.raw call all stats # yes\n")
    let grant = try #require(file.tokens.first?.grant)
    #expect(grant.reads.contains("g.x") && grant.reads.contains("h.alarm") && !grant.reads.contains("h.x"))
    #expect(grant.sends.contains("g.raw") && !grant.sends.contains("g.x"))
    #expect(grant.calls.contains("x.y") && grant.seesStats)
  }

  @Test func `lines may end with a carriage return and a line feed`() throws {
    let lines = ["# all", "", "token a sha256:\(Self.hash) read all", "token b sha256:\(Self.hash) send all", ""]
    #expect(try read(lines.joined(separator: "\r\n")).tokens.map(\.name) == ["a", "b"])
    #expect { _ = try read("# all\r\ntokn") } throws: {
      ($0 as? AccessFileError)?.message.hasPrefix("tokens:2: ") == true
    }
  }

  @Test(arguments: [
    ("tokn a b c", "a line must begin with \"token\" or \"hook\", not \"tokn\""),
    ("token a", "a token line has the form: token NAME sha256:HASH read|send|call PATTERN… [stats]"),
    ("token a sha256:zz read all", "the hash of a token must be sha256: and 64 digits"),
    ("token a sha1:\(hash) read all", "the hash of a token must be sha256: and 64 digits"),
    ("token a sha256:\(hash) g.*", "missing \"read\", \"send\" or \"call\" before \"g.*\""),
    ("token a sha256:\(hash) read g**", "\"g**\" is neither \"all\" nor"),
    ("hook a b", "a hook line has the form: hook NAME SIGNAL HEADER SECRET-FILE"),
    ("hook a b.* X s", "a hook needs the name of one signal, not \"b.*\""),
  ])
  func `an error has its place and what was expected`(_ text: String, _ message: String) {
    #expect { _ = try read("\n" + text) } throws: { error in
      let error = (error as? AccessFileError)?.message ?? ""
      return error.hasPrefix("tokens:2: ") && error.contains(message)
    }
  }

  @Test func `a name stands once`() {
    let line = "token a sha256:\(Self.hash) read all\n"
    #expect(throws: AccessFileError("tokens:2: duplicate token \"a\"")) { _ = try read(line + line) }
  }

  @Test func `names that differ in their bytes alone are those of two tokens, each with its own rate`() throws {
    let names = ["\u{e9}", "e\u{301}"]
    let lines = names.map { name in
      let hash = SHA256.digest(of: Array(name.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return "token \(name) sha256:\(hash) read all\n"
    }
    let doorkeeper = Doorkeeper(try read(lines.joined()))
    func request(_ name: String) -> HTTPRequest {
      HTTPRequest(method: "GET", path: "/", headers: [("Authorization", "Bearer \(name)")])
    }
    doorkeeper.mostRequests = 1
    for name in names { try doorkeeper.begin(try doorkeeper.admit(request(name))) }
    // So many requests use up the rate, however quickly they come.
    #expect(throws: Problem.self) { while true { _ = try doorkeeper.admit(request(names[0])) } }
    #expect(throws: Never.self) { try doorkeeper.admit(request(names[1])) }
  }

  @Test func `a new token is known by its line`() throws {
    let made = NewToken(name: "me")
    let file = try read(made.line)
    #expect(file.tokens[0].hash == SHA256.digest(of: Array(made.token.utf8)) && made.token.utf8.count == 64)
  }

  @Test func `rates are bounded`() {
    var rate = RequestRate(perSecond: 2, now: .init(nanoseconds: 0))
    let times: [Int64] = [0, 0, 0, 400, 500, 600, 5000, 5000, 5000]
    let taken = times.map { rate.take(now: .init(nanoseconds: $0 * 1_000_000)) }
    #expect(taken == [true, true, false, false, true, false, true, true, false])
  }
}
