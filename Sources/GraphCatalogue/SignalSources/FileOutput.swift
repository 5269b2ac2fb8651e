import GraphEngine
import GraphModel
import JSON
import Signals

/// The output files of a signal that does not read them.
struct FileOutput {
  /// The rule for a value's file path.
  enum Place {
    case path(String)
    /// An expression yields a name below a folder.
    case below(folder: String, name: Evaluator)
  }

  let place: Place
  let format: FileFormat
  let isAppended: Bool
  let context: OperatorContext

  /// Plans to write the encoded value.
  func plan(_ value: Payload) throws(SendError) -> Inlet.Work {
    let content = isAppended ? try format.line(of: value) : try format.content(of: value)
    try context.checkSize(ofContent: content)
    let writing: FileWriting
    do throws(SignalFailure) {
      writing = FileWriting(content, to: try path(for: value), isAppended: isAppended)
    } catch {
      throw .failed(error)
    }
    return { [context] () throws(SendError) in try context.write(writing) }
  }

  private func path(for value: Payload) throws(SignalFailure) -> FileWriting.Path {
    switch place {
    case .path(let path): return .absolute(path)
    case .below(let folder, let name):
      guard case .string(let text)? = try name.first(of: value)?.plain else {
        throw .badValue("the name of the file must be a string")
      }
      guard Self.isBelow(text) else {
        throw SignalFailure(code: "file", message: "\(JSONValue.string(text)) is not a valid path below \(folder)")
      }
      return .below(folder: folder, name: text)
    }
  }

  /// Checks that a name stays below its folder, symbolic links aside.
  private static func isBelow(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return !name.utf8.contains(0) && parts.allSatisfy { !["", ".", ".."].contains($0) }
  }
}

extension OperatorContext {
  /// Writes to a file, as the work before a value enters.
  func write(_ writing: FileWriting) throws(SendError) {
    do throws(SignalFailure) { try world.write(writing) } catch { throw .failed(error) }
  }

  /// Limits written content to the size of a readable file.
  func checkSize(ofContent content: [UInt8]) throws(SendError) {
    guard content.count > limits.line else { return }
    throw .badValue(expected: "at most \(limits.line) bytes (limits.line)", found: "\(content.count)")
  }
}
