package import Signals

/// The progress of a change to a file.
package enum ContentChange: Sendable {
  /// Content was written, and more may follow: a file that is replaced in place is empty at first.
  case underWay
  /// The file was closed after writing, created, removed or replaced.
  case done
}

/// The changes of a file's content; the file may be missing.
package struct ContentQuery: WorldQuery {
  package typealias Event = ContentChange
  package static let name = "file"

  package let path: String

  package init(path: String) { self.path = path }
}

extension ContentChange: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .underWay: writer.kind(0)
    case .done: writer.kind(1)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .underWay
    case 1: self = .done
    default: throw StateError("a change of a file of an unknown kind")
    }
  }
}
