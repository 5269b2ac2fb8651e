import JSON
import ReactiveCore

/// The file, or the files, that the values of a signal are written to, and that it does not read.
struct FileOutput {
  /// How the path of a value's file comes about.
  enum Place {
    case path(String)
    /// An expression makes the name below a folder.
    case below(folder: String, name: Evaluator)
  }

  let place: Place
  let format: FileFormat
  let isAppended: Bool
  let context: OperatorContext

  /// Writes what a value stands for.
  func write(_ value: Payload) throws(SendError) {
    let content = isAppended ? try format.line(of: value) : try format.content(of: value)
    try context.checkSize(ofContent: content)
    do throws(SignalFailure) {
      try context.world.write(FileWriting(content, to: try path(for: value), isAppended: isAppended))
    } catch {
      throw .failed(error)
    }
  }

  private func path(for value: Payload) throws(SignalFailure) -> FileWriting.Path {
    switch place {
    case .path(let path): return .absolute(path)
    case .below(let folder, let name):
      guard case .string(let text)? = try name.first(of: value)?.plain else {
        throw .badValue("the name of the file is no text")
      }
      guard Self.isBelow(text) else {
        throw SignalFailure(code: "file", message: "\(JSONValue.string(text)) is no name of a file below \(folder)")
      }
      return .below(folder: folder, name: text)
    }
  }

  /// Whether a name leads nowhere else, as far as one can tell without looking.
  private static func isBelow(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return !name.utf8.contains(0) && parts.allSatisfy { !["", ".", ".."].contains($0) }
  }
}

extension OperatorContext {
  /// A content is not longer than a file may be that is read.
  func checkSize(ofContent content: [UInt8]) throws(SendError) {
    guard content.count > limits.line else { return }
    throw .badValue(expected: "at most \(limits.line) bytes (limits.line)", found: "\(content.count)")
  }
}
