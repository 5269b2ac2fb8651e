import GraphStories
import JSON
import Signals
import Testing

@testable import GraphCatalogue
@testable import GraphModel

/// The connections of `server.connections`, and the signals and actions that name them.
@Suite struct `Connections to peers on the network` {
  private static func errors(_ text: String) -> [String] {
    do {
      _ = try TestGraph.configuration("signalbox: 1\n" + text)
      return []
    } catch ConfigurationError.invalid(let diagnostics) {
      return diagnostics.list.map { "\($0.place.line):\($0.place.column) \($0.text)" }
    } catch {
      return ["\(error)"]
    }
  }

  private static func errors(of connection: String) -> [String] {
    errors("server: {connections: {api: {\(connection)}}}\n")
  }

  @Test(arguments: ["http: 'http://a', headers: {x: ROOM}", "http: 'http://a/ROOM'"])
  func `are others where a text differs only in the form of its characters`(text: String) throws {
    let connections = try ["\u{e9}", "\u{e9}", "e\u{301}"].map { form in
      try TestGraph.configuration(
        "signalbox: 1\nserver: {connections: {api: {\(text.replacing("ROOM", with: form))}}}\n"
      ).server.connections[0]
    }
    #expect(connections[0] == connections[1])
    #expect(connections[0] != connections[2])
  }

  @Test func `have settings with their defaults`() throws {
    let text = """
      signalbox: 1
      server:
        connections:
          api: {http: "https://api.example.org:8443/v1/", headers: {authorization: "Bearer ${cred:hook}"}, timeout: 10s}
          docker: {http: "unix:/var/run/docker.sock", concurrent: 2, limit: 64KiB}
          tls: {http: "https://a", tls: {ca: /ca, certificate: /c, key: /k}, proxy: "http://proxy:3128"}
      """
    let world = ConfigurationWorld(
      files: ["test.yaml": text, "/run/credentials/hook": "top secret"],
      environment: ["CREDENTIALS_DIRECTORY": "/run/credentials"])
    let configuration = try Configuration.load(.alone("test.yaml"), inputs: world.inputs)
    let connections = configuration.server.connections
    #expect(connections.map(\.name) == ["api", "docker", "tls"])
    #expect(
      connections.map { JSONValue.object($0.settings).description } == [
        #"{"url":"https://api.example.org:8443","headers":{"authorization":"Bearer top secret"},"concurrent":4,"timeout":10,"limit":1048576}"#,
        #"{"url":"unix:/var/run/docker.sock","concurrent":2,"timeout":30,"limit":65536}"#,
        #"{"url":"https://a","concurrent":4,"timeout":30,"tls":{"ca":"/ca","certificate":"/c","key":"/k"},"proxy":"http://proxy:3128","limit":1048576}"#,
      ])
    #expect(connections[0].base == "/v1")
    #expect(connections[0].withoutSecrets("what: Bearer top secret, top secret?") == "what: …, …?")
  }

  @Test(arguments: [
    ("htp: 'http://a'", #"2:24 a connection needs the address of its peer under its kind, one of: http, mqtt, nats"#),
    ("http: 'ftp://a'", "expected the address of an HTTP server: http://…, https://… or unix:/path"),
    ("http: 'http://'", "the address names no host"), ("http: 'http://a:0'", "invalid port \"0\": expected 1 to 65535"),
    ("http: 'http://a b'", "the address names no host"),
    ("http: 'http://u:p@a'", "an address has no user and no password: give headers"),
    ("http: 'http://a/?x=1'", "an address has no query and no fragment: give them with each request"),
    ("http: 'http://a/x/../y'", #"a path cannot contain "." or ".." as a segment"#),
    ("http: 'unix:run'", "a socket's address is an absolute path, as in unix:/run/docker.sock"),
    (#"http: 'http://a', headers: {x: "a\nb"}"#, "a header has no line break"),
    ("http: 'http://a', headers: {'x y': a}", #""x y" cannot be the name of a header"#),
    ("http: 'http://a', headers: {Content-Length: '1'}", #"the header "Content-Length" belongs to the connection"#),
    ("http: 'http://a', concurrent: 0", "must be at least 1"),
    ("http: 'http://a', tls: {ca: /x}", "tls is for an address that begins with https:"),
    ("http: 'https://a', tls: {key: /x}", "a certificate and its key go together"),
    ("http: 'unix:/a', proxy: 'http://p'", "a socket of this machine needs no proxy"),
    ("http: 'http://a', timout: 1s", #"unknown key "timout""#),
  ])
  func `are checked`(connection: String, error: String) {
    let errors = Self.errors(of: connection)
    #expect(errors.count == 1)
    #expect(errors.first?.contains(error) == true, "\(errors)")
  }

  private static func graph(_ text: String) -> String {
    "server: {connections: {hooks: {http: 'http://a'}}}\ngraphs: {g: {\(text)}}\n"
  }

  @Test(arguments: [
    ("signals: {s: {http: {connection: hoks, every: 1s}}}", #"there is no connection "hoks""#),
    ("signals: {s: {http: {connection: hooks}}}", "http: say how often to ask, as in every: 30s, or events: true"),
    ("signals: {s: {http: {connection: hooks, every: 1s, events: true}}}", "http: give one of every and events"),
    ("signals: {s: {http: {connection: hooks, every: 1s, path: x}}}", #"a path begins with "/""#),
    ("signals: {s: {http: {connection: hooks, every: 1s}, cold: true}}", #""http" cannot be cold"#),
    (
      "signals: {s: {merge: [{http: {connection: hooks, every: 1s}}]}}",
      #""http" needs a signal with a name of its own: declare it as one, and name that here"#
    ),
    ("signals: {s: {http: {connection: hooks, every: 1s, format: csv}}}", "http: the first line of csv names"),
    ("actions: {a: {http: {connection: hooks, body: ., form: .}}}", "http: give one of body, form and text"),
    ("actions: {a: {http: {connection: hooks, method: GET, body: .}}}", "a request with method GET has no body"),
    ("actions: {a: {http: {connection: hooks, path: '/a/../b'}}}", #"a path cannot contain "." or "..""#),
    ("actions: {a: {http: {connection: hooks, headers: {host: .}}}}", #"the header "host" says who is asked"#),
    (
      "actions: {a: {http: {connection: hooks}, exec: [x]}}",
      #"an action has one task: "exec", "dbus", "http" or "adapter""#
    ),
    ("actions: {a: {http: {connection: hooks}, format: json}}", "an answer has a type of its own"),
    ("actions: {a: {http: {connection: hooks, query: '{'}}}", ""),
  ])
  func `are named rightly`(graph: String, error: String) {
    let errors = Self.errors(Self.graph(graph))
    #expect(errors.first?.contains(error) == true, "\(errors)")
  }

  @Test(
    arguments: [
      ("/a/b", nil), ("/", nil), ("/a%2Fb", nil), ("a", "begins"), ("//a", "one"), ("/..", "segment"),
      ("/a/../b", "segment"), ("/a/%2e%2E/b", "segment"), ("/a/.", "segment"), ("/a/%252e%252e/", "segment"),
      ("/a\\..\\b", "segment"), ("/..%2fb", "segment"), ("/a\nb", "control"), ("/a..b/c...", nil),
    ] as [(String, String?)])
  func `are not left by a path`(path: String, mistake: String?) {
    let found = RequestPath.problem(in: path)
    if let mistake { #expect(found?.contains(mistake) == true) } else { #expect(found == nil) }
  }

  @Test func `have paths whose characters are encoded`() {
    #expect(RequestPath.encoded("/a b?c#d%20é/%zz") == "/a%20b%3Fc%23d%20%C3%A9/%25zz")
  }
}
