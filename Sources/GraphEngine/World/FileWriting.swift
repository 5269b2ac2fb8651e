import Base
package import Signals

/// A change to a file that a graph requests.
package struct FileWriting: Equatable, Sendable {
  package let path: Path
  /// True to append the content to the file; otherwise it replaces the file's content atomically.
  package let isAppended: Bool
  package let content: [UInt8]

  package enum Path: Hashable, Sendable {
    case absolute(String)
    /// A name, possibly with folders, that a value has chosen. It reaches nothing outside the folder and follows no
    /// link; missing folders below it are created.
    case below(folder: String, name: String)
  }

  package init(_ content: [UInt8], to path: Path, isAppended: Bool = false) {
    self.path = path
    self.isAppended = isAppended
    self.content = content
  }
}

// Paths that differ in their bytes name different files.
extension FileWriting.Path {
  private var texts: [ExactText] {
    switch self {
    case .absolute(let path): [ExactText(path)]
    case .below(let folder, let name): [ExactText(folder), ExactText(name)]
    }
  }

  package static func == (one: Self, other: Self) -> Bool { one.texts == other.texts }

  package func hash(into hasher: inout Hasher) { hasher.combine(texts) }
}

extension FileWriting.Path: CustomStringConvertible {
  package var description: String {
    switch self {
    case .absolute(let path): path
    case .below(let folder, let name): "\(folder)/\(name)"
    }
  }
}

extension FileWriting: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    path = try field(\.path)
    isAppended = try field(\.isAppended)
    content = try field(\.content)
  }
}

extension FileWriting.Path: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .absolute(let path): writer.kind(0, path)
    case .below(let folder, let name): writer.kind(1, folder, name)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .absolute(try reader.text())
    case 1: self = .below(folder: try reader.text(), name: try reader.text())
    default: throw StateError("unknown kind of path")
    }
  }
}
