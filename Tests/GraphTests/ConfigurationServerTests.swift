import GraphModel
import Testing

struct ConfigurationServerTests {
  private func settings(_ text: String) throws -> (settings: ServerSettings, found: String) {
    let world = ConfigurationWorld(files: ["/f.yaml": "signalbox: 1\n" + text], environment: ["SOCKET": "/run/x.sock"])
    let (_, settings, found) = try world.load(.alone("/f.yaml"))
    return (settings, found)
  }

  @Test func `settings that differ in their bytes alone are others`() {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    func settings(_ text: String) -> ServerSettings {
      var settings = ServerSettings()
      settings.socket.group = text
      settings.dbus = BusSettings()
      settings.dbus?.bus = .address("unix:path=/\(text)")
      return settings
    }
    #expect(settings(composed).dbus != settings(decomposed).dbus && settings(composed).dbus == settings(composed).dbus)
    #expect(
      settings(composed).settingsThatNeedRestart(since: settings(decomposed)) == [
        "server.socket.group"
      ])
    let buses: Set = [BusChoice.address(composed), .address(decomposed), .address(composed), .system]
    #expect(buses.count == 3)
    let people: Set = [Principal.user(composed), .user(decomposed), .group(composed), .user(composed)]
    #expect(people.count == 3)
    func query(_ text: String) -> SystemJournalQuery {
      SystemJournalQuery(folder: nil, conditions: [[["MESSAGE=\(text)"]]], limit: 1, owner: "g.a")
    }
    #expect(query(composed) != query(decomposed) && query(composed) == query(composed))
  }

  @Test func `without a server section everything has its default`() throws {
    let (settings, found) = try settings("")
    #expect(found.isEmpty)
    #expect(settings == ServerSettings())
    #expect(settings.socket.path == "/run/signalbox/signalbox.sock")
    #expect(settings.socket.mode == 0o660)
    #expect(settings.limits.connections == 10_000)
    #expect(settings.limits.line == 1_048_576)
    #expect(settings.limits.depth == 128)
    #expect(settings.limits.output == 1_048_576)
    #expect(settings.limits.memory == 268_435_456)
    #expect(settings.limits.unfinished == .seconds(30))
    #expect(settings.limits.user.connections == 1_000)
    #expect(settings.limits.user.memory == 67_108_864)
    #expect(settings.limits.turn == 100_000)
    #expect(settings.limits.chain == 1_000)
    #expect(settings.limits.value == 1_048_576)
    #expect(settings.limits.expression == 100_000)
    #expect(settings.log.level == .info)
    #expect(settings.state == nil)
  }

  @Test func `every key is read`() throws {
    let (settings, found) = try settings(
      """
      server:
        socket: {path: "${SOCKET}", mode: "0600", group: signalbox}
        limits:
          {connections: 1, line: 2KiB, depth: 3, output: 4KiB, memory: 5MiB, unfinished: 6s, turn: 7, chain: 8,
           value: 9KiB, expression: 10, user: {connections: 11, memory: 12MiB}}
        log: {level: debug}
        state: /var/lib/signalbox
      """)
    #expect(found.isEmpty, "\(found)")
    var socket = SocketSettings()
    socket.path = "/run/x.sock"
    socket.mode = 0o600
    socket.group = "signalbox"
    #expect(settings.socket == socket)
    let limits = settings.limits
    let sizes: [Int] = [limits.connections, limits.line, limits.depth, limits.output, limits.memory]
    #expect(sizes == [1, 2048, 3, 4096, 5 * 1_048_576])
    #expect(limits.unfinished == .seconds(6))
    #expect([limits.turn, limits.chain, limits.value, limits.expression] == [7, 8, 9 << 10, 10])
    #expect([limits.user.connections, limits.user.memory] == [11, 12 << 20])
    #expect(settings.log.level == .debug)
    #expect(settings.state == "/var/lib/signalbox")
  }

  @Test(arguments: [
    ("socket: {path: x.sock}", "expected an absolute path, found \"x.sock\""),
    ("state: lib", "expected an absolute path, found \"lib\""), ("state: ", "expected a text, found nothing"),
    ("socket: {mode: 660}", "expected permissions in octal, such as \"0660\", found the number 660"),
    ("limits: {connections: 0}", "must be at least 1"), ("limits: {depth: 5000}", "must be at most 1024"),
    ("limits: {line: 2GiB}", "must be at most 1GiB"), ("limits: {unfinished: 0s}", "must be at least 1ms"),
    ("log: {level: verbose}", "expected one of error, warning, notice, info, debug, found \"verbose\""),
    (
      "log: {level: inof}",
      "expected one of error, warning, notice, info, debug, found \"inof\"; did you mean \"info\"?"
    ),
    ("limits: {user: {conections: 1000}}", "unknown key \"conections\"; did you mean \"connections\"?"),
    ("sockets: {}", "unknown key \"sockets\"; did you mean \"socket\"?"),
  ])
  func `a setting that cannot be is an error and keeps its default`(text: String, message: String) throws {
    let (settings, found) = try settings("server: {\(text)}")
    #expect(found.contains(" error: \(message)\n"), "\(found)")
    #expect(settings == ServerSettings())
  }

  @Test(arguments: ["server:\n", "server: {limits: }\n", "server:\n  limits:\n    user:\n  log:\n"])
  func `a section may be empty`(text: String) throws {
    let (settings, found) = try settings(text)
    #expect(found.isEmpty, "\(found)")
    #expect(settings == ServerSettings())
  }

  @Test(arguments: [("nobody-is", true), ("known", false), ("4711", false)])
  func `the socket's group must be there, or be a number`(group: String, isMistake: Bool) throws {
    var inputs = ConfigurationWorld(files: ["/f.yaml": "signalbox: 1\nserver: {socket: {group: \(group)}}"]).inputs
    inputs.hasGroup = { $0 == "known" }
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    let tree = try ConfigurationLoader.load(.alone("/f.yaml"), inputs: inputs, context: context)
    #expect(ServerSettings(reading: tree.server, context).socket.group == (isMistake ? nil : group))
    #expect(context.problems.hasErrors == isMistake)
  }

  @Test func `a socket's path fits into its address`() throws {
    let longest = "/" + String(repeating: "x", count: 106)
    #expect(try settings("server: {socket: {path: \(longest)}}").settings.socket.path == longest)
    #expect(
      try settings("server: {socket: {path: \(longest)x}}").found.contains("socket path exceeds 107 bytes")
    )
  }
}
