package import ReactiveCore

/// A change to a file that a graph asks for.
package struct FileWriting: Equatable, Sendable {
  package let path: Path
  /// Whether the content is added at the end of the file; else it takes the place of all that is there, in one step.
  package let isAppended: Bool
  package let content: [UInt8]

  package enum Path: Hashable, Sendable {
    case absolute(String)
    /// A name, perhaps with folders in it, that a value has chosen: nothing outside of the folder is reached by it, and
    /// no link is followed. Folders that are missing below it are made.
    case below(folder: String, name: String)
  }

  package init(_ content: [UInt8], to path: Path, isAppended: Bool = false) {
    self.path = path
    self.isAppended = isAppended
    self.content = content
  }
}

extension FileWriting.Path: CustomStringConvertible {
  package var description: String {
    switch self {
    case .absolute(let path): path
    case .below(let folder, let name): "\(folder)/\(name)"
    }
  }
}

extension FileWriting: Storable {
  package func store(in writer: inout StateWriter) {
    path.store(in: &writer)
    isAppended.store(in: &writer)
    writer.blob(content)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    path = try Path(from: &reader)
    isAppended = try Bool(from: &reader)
    content = Array(try reader.blob())
  }
}

extension FileWriting.Path: Storable {
  package func store(in writer: inout StateWriter) {
    switch self {
    case .absolute(let path):
      writer.byte(0)
      writer.text(path)
    case .below(let folder, let name):
      writer.byte(1)
      writer.text(folder)
      writer.text(name)
    }
  }

  package init(from reader: inout StateReader) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .absolute(try reader.text())
    case 1: self = .below(folder: try reader.text(), name: try reader.text())
    default: throw StateError("a path of an unknown kind")
    }
  }
}
