import JSON
import Testing

@testable import GraphModel

struct ConfigurationFilesTests {
  private static let world = ConfigurationWorld(files: [
    "/etc/signalbox/signalbox.yaml":
      "signalbox: 1\nserver: {limits: {line: 2MiB, depth: 3}}\ngraphs:\n  a: {doc: x}\n  b: {}\n",
    "/etc/signalbox/conf.d/b.yaml": "signalbox: 1\nserver: {limits: {line: 3MiB}, log: {level: debug}}\n",
    "/etc/signalbox/conf.d/B.json": #"{"signalbox": 1, "graphs": {"a": {"signals": {}}, "c": {}}}"#,
    "/etc/signalbox/conf.d/a-.yaml": "signalbox: 1\ngraphs: {a: {}}\n",
    "/etc/signalbox/conf.d/a.yaml": "signalbox: 1\nserver:\ngraphs:\n",
    "/etc/signalbox/conf.d/.hidden.yaml": "@", "/etc/signalbox/conf.d/README": "@",
    "/etc/signalbox/conf.d/b.yaml~": "@",
  ])

  @Test(arguments: [
    ConfigurationSource.withAdditions("/etc/signalbox/signalbox.yaml"), .withAdditions("/etc/signalbox"),
    .alone("/etc/signalbox"),
    .alone("/etc/signalbox/"),
  ])
  func `conf.d is read after the main file, ordered by the bytes of the names`(source: ConfigurationSource) throws {
    let (tree, settings, found) = try Self.world.load(source)
    #expect(found.isEmpty, "\(found)")
    let names = ["signalbox.yaml", "conf.d/B.json", "conf.d/a-.yaml", "conf.d/a.yaml", "conf.d/b.yaml"]
    #expect(tree.files.map(\.name) == names.map { "/etc/signalbox/" + $0 })
    #expect(tree.graphs.map(\.name) == ["a", "b", "c"])
    #expect(tree.graphs.first?.parts.map(\.body.place.source.index) == [0, 1, 2])
    #expect(settings.limits.line == 3 << 20)
    #expect(settings.limits.depth == 3)
    #expect(settings.log.level == .debug)
  }

  @Test func `a file alone is read without conf.d`() throws {
    let (tree, settings, _) = try Self.world.load(.alone("/etc/signalbox/signalbox.yaml"))
    #expect(tree.files.count == 1)
    #expect(settings.limits.line == 2 << 20)
  }

  @Test func `a file in the working directory has its conf.d there`() throws {
    let world = ConfigurationWorld(files: ["x.yaml": "signalbox: 1\n", "conf.d/y.yaml": "signalbox: 1\n"])
    #expect(try world.load(.withAdditions("x.yaml")).tree.files.map(\.name) == ["x.yaml", "conf.d/y.yaml"])
  }

  @Test func `a directory without signalbox.yaml may have signalbox.json`() throws {
    let world = ConfigurationWorld(files: ["/d/signalbox.json": "{\"signalbox\": 1}"])
    #expect(try world.load(.alone("/d")).tree.files.map(\.name) == ["/d/signalbox.json"])
  }

  @Test func `of the server section the later file wins key by key, and empty mappings win nothing`() throws {
    let world = ConfigurationWorld(files: [
      "/d/signalbox.yaml": "signalbox: 1\nserver: {limits: {depth: 3, user: {connections: 4}}, log: {level: debug}}\n",
      "/d/conf.d/1.yaml": "signalbox: 1\nserver: {limits: {user: {memory: 5KiB}}, log: }\n",
      "/d/conf.d/2.yaml": "signalbox: 1\nserver: {limits: {depth: 6, user: }}\n",
    ])
    let (_, settings, found) = try world.load(.alone("/d"))
    #expect(found.isEmpty, "\(found)")
    #expect(settings.limits.depth == 6)
    #expect(settings.limits.user.connections == 4)
    #expect(settings.limits.user.memory == 5 << 10)
    #expect(settings.log.level == .debug)
  }

  @Test func `a missing file is an error of its own kind`() {
    #expect(throws: ConfigurationFileError(path: "/none.yaml", failure: .missing)) {
      try ConfigurationWorld().load(.alone("/none.yaml"))
    }
    let world = ConfigurationWorld(files: ["/d/other": ""])
    #expect(throws: ConfigurationFileError(path: "/d/signalbox.yaml", failure: .missing)) {
      try world.load(.alone("/d"))
    }
    let error = ConfigurationFileError(path: "/none.yaml", failure: .missing)
    #expect("\(error)" == "cannot read /none.yaml: No such file or directory")
  }

  @Test func `a yml file in conf.d is left out with a warning`() throws {
    let world = ConfigurationWorld(files: ["/d/signalbox.yaml": "signalbox: 1\n", "/d/conf.d/x.yml": "@"])
    let found = try world.load(.alone("/d")).found
    #expect(
      found
        == "/d/conf.d/x.yml:1:1: warning: /d/conf.d/x.yml skipped: its name does not end in .yaml or .json\n")
  }

  @Test(arguments: [
    (
      "graphs: {}\n",
      "1:1: error: missing format version; begin the file with \"signalbox: 1\""
    ),
    (
      "",
      "1:1: error: missing format version; begin the file with \"signalbox: 1\""
    ),
    (
      "# nothing\n",
      "1:1: error: missing format version; begin the file with \"signalbox: 1\""
    ),
    (
      "signalbox: 2\nnew: x\n",
      "1:12: error: unsupported format version: found the number 2, expected \"signalbox: 1\""
    ),
    (
      "signalbox: '1'\n",
      "1:12: error: unsupported format version: found \"1\", expected \"signalbox: 1\""
    ),
    (
      "signalbox: 1\nx_a: {}\n",
      "2:1: error: unknown key \"x_a\"; known: signalbox, server, templates, views, graphs, use"
    ),
    ("signalbox: 1\ngraph: {}\n", "2:1: error: unknown key \"graph\"; did you mean \"graphs\"?"),
    ("signalbox: 1\nx: {}\n", "2:1: error: unknown key \"x\"; known: signalbox, server, templates, views, graphs, use"),
    (
      "signalbox: 1\ngraphs: {signalbox: {}}\n",
      "2:10: error: the graph \"signalbox\" is the daemon's own; choose another name"
    ),
    (
      "signalbox: 1\ngraphs: {a b: {}}\n",
      "2:10: error: invalid name \"a b\": use letters, digits, \"_\" and \"-\""
    ),
    ("signalbox: 1\ngraphs: {a: 5}\n", "2:13: error: expected a mapping, found the number 5"),
    ("signalbox: 1\ngraphs: [a]\n", "2:9: error: expected a mapping, found a list"),
    ("signalbox: 1\nserver: yes\n", "2:9: error: expected a mapping, found \"yes\""),
    ("- signalbox\n", "1:1: error: expected a mapping, found a list"),
  ])
  func `the top level of a file is checked`(text: String, found: String) throws {
    let world = ConfigurationWorld(files: ["/f.yaml": text])
    let all = try world.load(.alone("/f.yaml")).found
    #expect(all.split(separator: "\n").first == "/f.yaml:\(found)")
    #expect(all.split(separator: "\n").count { $0.contains(": error: ") } == 1, "\(all)")
  }

  @Test func `errors of several files come in the order in which the files are read`() throws {
    let world = ConfigurationWorld(files: [
      "/d/signalbox.yaml": "signalbox: 1\nx: 1\n", "/d/conf.d/1.yaml": "@", "/d/conf.d/2.yaml": "y: 1\nsignalbox: 1\n",
    ])
    let lines = try world.load(.alone("/d")).found.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(
      lines.map { $0.prefix { $0 != " " } } == [
        "/d/signalbox.yaml:2:1:", "/d/conf.d/1.yaml:1:1:", "/d/conf.d/2.yaml:1:1:",
      ])
  }
}
