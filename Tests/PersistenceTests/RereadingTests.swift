import GraphModel
import Synchronization
import Testing

@testable import Persistence

@Suite("A configuration that is read again") struct RereadingTests {
  /// Files, folders, variables, credentials and accounts that a test changes.
  private final class World: Sendable {
    struct Contents: Sendable {
      var files = [
        "/etc/g.yaml": """
        signalbox: 1
        server: {access: {stats: [ann, "@wheel"]}}
        graphs: {g: {signals: {in: {input: {}}, out: {value: "${WORD:-none}${cred:token}${file:/etc/name}"}}}}
        """,
        "/etc/name": "name",
        "/etc/conf.d/old.yaml": "signalbox: 1",
      ]
      var added: [String]? = ["old.yaml"]
      var variables: [String: String] = [:]
      var credential = "one"
      var users: Set<String> = ["ann"]
      var groups: Set<String> = ["wheel"]
      /// The files that were read, one entry for each time.
      var readings: [String] = []
    }

    let contents = Mutex(Contents())

    var inputs: ConfigurationInputs {
      var inputs = ConfigurationInputs(
        environment: { [self] name in contents.withLock { $0.variables[name] } },
        readFile: { [self] path, limit in
          let found = contents.withLock { contents in
            contents.readings.append(path)
            return contents.files[path]
          }
          guard let text = found else { return .failure(.missing) }
          return text.utf8.count > limit ? .failure(.tooLarge(limit: limit)) : .success(Array(text.utf8))
        },
        listDirectory: { [self] path in
          contents.withLock { path == "/etc/conf.d" ? $0.added : nil }.map { .success($0) } ?? .failure(.missing)
        })
      inputs.credential = { [self] _ in ("/run/token", .success(Array(contents.withLock { $0.credential }.utf8))) }
      inputs.hasUser = { [self] name in contents.withLock { $0.users.contains(name) } }
      inputs.hasGroup = { [self] name in contents.withLock { $0.groups.contains(name) } }
      return inputs
    }
  }

  /// Something that a configuration is read from.
  enum Change: CaseIterable {
    case none, longer, shorter, text, emptied, added, folder, variable, credential, user, group
  }

  @Test(arguments: Change.allCases) func `is built anew only if something that it is read from has changed`(
    _ change: Change
  ) throws {
    let world = World()
    let source = ConfigurationSource.withAdditions("/etc/g.yaml")
    let first = try StoredConfiguration(reading: source, world.inputs)
    world.contents.withLock { contents in
      switch change {
      case .none: break
      case .longer: contents.files["/etc/g.yaml"]?.append("\n")
      case .shorter: contents.files["/etc/name"] = "nam"
      case .text: contents.files["/etc/name"] = "eman"
      case .emptied: contents.files["/etc/name"] = ""
      case .folder: contents.added = nil
      case .added:
        contents.added?.append("more.yaml")
        contents.files["/etc/conf.d/more.yaml"] = "signalbox: 1\ngraphs: {h: {signals: {in: {input: {}}}}}"
      case .variable: contents.variables["WORD"] = "some"
      case .credential: contents.credential = "two"
      case .user: contents.users = []
      case .group: contents.groups = []
      }
    }
    let second = try first.reread(source, world.inputs)
    let alone = try StoredConfiguration(reading: source, world.inputs)
    #expect(
      (second.configuration.graphs[0].signals[0] === first.configuration.graphs[0].signals[0]) == (change == .none))
    #expect(second.bytes == alone.bytes)
    #expect("\(second.configuration.warnings)" == "\(alone.configuration.warnings)")
    let other = try second.reread(.alone("/etc/g.yaml"), world.inputs)
    #expect(other.configuration.graphs[0].signals[0] !== second.configuration.graphs[0].signals[0])
  }

  @Test func `evaluates expressions as before, also in a replay`() throws {
    let world = World()
    let source = ConfigurationSource.withAdditions("/etc/g.yaml")
    var first = try StoredConfiguration(reading: source, world.inputs)
    first.configuration.readsText = false
    world.contents.withLock { $0.files["/etc/g.yaml"]?.append("\n") }
    #expect(try !first.reread(source, world.inputs).configuration.readsText)
    #expect(try !first.reread(.alone("/etc/g.yaml"), world.inputs).configuration.readsText)
    let replayed = try ReplayedConfiguration(bytes: first.bytes, in: .folder, evaluatedAs: first.configuration)
    #expect(!replayed.stored.configuration.readsText && !replayed.replayed.readsText)
  }

  @Test func `reads what has changed once, since a pipe can be read only once`() throws {
    let world = World()
    let source = ConfigurationSource.withAdditions("/etc/g.yaml")
    let first = try StoredConfiguration(reading: source, world.inputs)
    world.contents.withLock {
      $0.files["/etc/name"] = "another name"
      $0.readings = []
    }
    _ = try first.reread(source, world.inputs)
    #expect(world.contents.withLock { $0.readings.filter { $0 == "/etc/name" }.count } == 1)
  }

  @Test func `is built anew after a handover, which brings no accounts`() throws {
    let world = World()
    let source = ConfigurationSource.withAdditions("/etc/g.yaml")
    let handedOver = try StoredConfiguration(StoredConfiguration(reading: source, world.inputs).bytes)
    world.contents.withLock { $0.users = [] }
    let second = try handedOver.reread(source, world.inputs)
    #expect("\(second.configuration.warnings)".contains("unknown user or group ann"))
  }
}
