import Base
import GraphEngine
package import GraphModel
package import Signals
import Synchronization

/// The inputs that a configuration has read, recorded so that it can be read again elsewhere.
///
/// Inputs of a durable graph are replayed under the configuration in force when they arrived, whatever the files
/// contain by now.
package final class RecordedInputs: Sendable {
  private struct File: StateRecord, Sendable {
    let content: Result<[UInt8], FileFailure>
    /// The most bytes that were to be read; not saved, since only a later reading in this process needs it.
    var limit: Int?

    init(content: Result<[UInt8], FileFailure>, limit: Int) {
      self.content = content
      self.limit = limit
    }

    init(_ field: inout StateCoder<Self>) throws(StateError) { content = try field(\.content) }
  }

  private struct Credential: StateRecord, Sendable {
    let path: String
    let content: Result<[UInt8], FileFailure>

    init(path: String, content: Result<[UInt8], FileFailure>) {
      self.path = path
      self.content = content
    }

    init(_ field: inout StateCoder<Self>) throws(StateError) {
      path = try field(\.path)
      content = try field(\.content)
    }
  }

  private struct Record: StateRecord, Sendable {
    var variables: [ExactText: String?] = [:]
    var files: [ExactText: File] = [:]
    var directories: [ExactText: Result<[String], FileFailure>] = [:]
    var credentials: [ExactText: Credential?] = [:]
    // Not saved, as the limits of files.
    var users: [ExactText: Bool] = [:]
    var groups: [ExactText: Bool] = [:]

    init() {}

    init(_ field: inout StateCoder<Self>) throws(StateError) {
      variables = try field(\.variables)
      files = try field(\.files)
      directories = try field(\.directories)
      credentials = try field(\.credentials)
    }
  }

  private let record: Mutex<Record>

  package init() { record = Mutex(Record()) }

  /// Returns inputs that record everything read through them.
  package func recording(_ inputs: ConfigurationInputs) -> ConfigurationInputs {
    var recorded = inputs
    recorded.environment = { [self] name in
      let value = inputs.environment(name)
      record.withLock { $0.variables[ExactText(name)] = .some(value) }
      return value
    }
    recorded.readFile = { [self] path, limit in
      let content = inputs.readFile(path, limit)
      record.withLock { $0.files[ExactText(path)] = File(content: content, limit: limit) }
      return content
    }
    recorded.listDirectory = { [self] path in
      let names = inputs.listDirectory(path)
      record.withLock { $0.directories[ExactText(path)] = names }
      return names
    }
    recorded.credential = { [self] name in
      let credential = inputs.credential(name)
      record.withLock { $0.credentials[ExactText(name)] = .some(credential.map(Credential.init)) }
      return credential
    }
    recorded.hasUser = { [self] name in
      let isThere = inputs.hasUser(name)
      record.withLock { $0.users[ExactText(name)] = isThere }
      return isThere
    }
    recorded.hasGroup = { [self] name in
      let isThere = inputs.hasGroup(name)
      record.withLock { $0.groups[ExactText(name)] = isThere }
      return isThere
    }
    return recorded
  }

  /// Reads everything again; returns `nil` if it is the same.
  ///
  /// - Returns: The inputs to read a changed configuration from, with what was just read: a pipe can be read only once.
  func changed(in inputs: ConfigurationInputs) -> ConfigurationInputs? {
    let record = record.withLock { $0 }
    let present = RecordedInputs()
    let again = present.recording(inputs)
    let isSame =
      record.files.allSatisfy { path, file in
        file.limit.map { again.readFile(path.text, $0) == file.content } ?? false
      }
      && record.variables.allSatisfy { $1.map(ExactText.init) == again.environment($0.text).map(ExactText.init) }
      && record.directories.allSatisfy { path, names in
        Self.isSame(names, again.listDirectory(path.text))
      }
      && record.credentials.allSatisfy { name, credential in
        let present = again.credential(name.text)
        return credential.map { ExactText($0.path) } == present.map { ExactText($0.path) }
          && credential?.content == present?.content
      }
      && record.users.allSatisfy { $1 == again.hasUser($0.text) }
      && record.groups.allSatisfy { $1 == again.hasGroup($0.text) }
    return isSame ? nil : present.inputs(before: inputs)
  }

  /// Compares the names in a folder, whatever their order.
  private static func isSame(_ one: Result<[String], FileFailure>, _ other: Result<[String], FileFailure>) -> Bool {
    one.map { $0.map(ExactText.init).sorted() } == other.map { $0.map(ExactText.init).sorted() }
  }

  /// Returns inputs that read nothing a second time that is recorded here.
  private func inputs(before others: ConfigurationInputs) -> ConfigurationInputs {
    let record = record.withLock { $0 }
    var inputs = others
    inputs.environment = { record.variables[ExactText($0)] ?? others.environment($0) }
    inputs.readFile = { path, limit in
      let file = record.files[ExactText(path)].flatMap { $0.limit == limit ? $0 : nil }
      return file?.content ?? others.readFile(path, limit)
    }
    inputs.listDirectory = { record.directories[ExactText($0)] ?? others.listDirectory($0) }
    inputs.credential = { name in
      record.credentials[ExactText(name)].map { $0.map { ($0.path, $0.content) } } ?? others.credential(name)
    }
    inputs.hasUser = { record.users[ExactText($0)] ?? others.hasUser($0) }
    inputs.hasGroup = { record.groups[ExactText($0)] ?? others.hasGroup($0) }
    return inputs
  }

  /// The paths of the files and folders that were read or missing, so that changes of them can be watched.
  package var paths: (files: [String], folders: [String]) {
    record.withLock { record in
      let credentials = record.credentials.values.compactMap { $0?.path }
      return (
        record.files.keys.sorted().map(\.text) + credentials.sorted(), record.directories.keys.sorted().map(\.text)
      )
    }
  }

  /// Returns true if the files contain the same as those of another recording.
  package func hasFiles(of other: RecordedInputs) -> Bool {
    record.withLock { $0.files.mapValues(\.content) } == other.record.withLock { $0.files.mapValues(\.content) }
  }

  /// The recorded inputs, without accounts.
  package var inputs: ConfigurationInputs {
    let record = record.withLock { $0 }
    // Before the machine's zone was recorded, expressions had that of the process.
    let process: ConfigurationInputs? = record.variables[ExactText("TZ")] == nil ? .system : nil
    var inputs = ConfigurationInputs(
      environment: { record.variables[ExactText($0)] ?? ($0 == "TZ" ? process?.environment($0) : nil) },
      readFile: { path, limit in
        record.files[ExactText(path)]?.content ?? (path == "/etc/localtime" ? process?.readFile(path, limit) : nil)
          ?? .failure(.missing)
      },
      listDirectory: { record.directories[ExactText($0)] ?? .failure(.missing) })
    inputs.credential = { (record.credentials[ExactText($0)] ?? nil).map { ($0.path, $0.content) } }
    return inputs
  }
}

// MARK: - Saving

extension RecordedInputs: StateCodable {
  package func encode(to writer: inout StateEncoder) { record.withLock { $0 }.encode(to: &writer) }

  package convenience init(from reader: inout StateDecoder) throws(StateError) {
    let record = try Record(from: &reader)
    self.init()
    self.record.withLock { $0 = record }
  }
}

extension Result: StateCodable where Success: StateCodable, Failure == FileFailure {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .success(let success): writer.kind(0, success)
    case .failure(.system(let code)): writer.kind(1, code)
    case .failure(.notRegular): writer.kind(2)
    case .failure(.tooLarge(let limit)): writer.kind(3, limit)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .success(try Success(from: &reader))
    case 1: self = .failure(.system(try Int32(from: &reader)))
    case 2: self = .failure(.notRegular)
    default: self = .failure(.tooLarge(limit: try Int(from: &reader)))
    }
  }
}
