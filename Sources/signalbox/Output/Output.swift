internal import Glibc
internal import GraphModel
internal import Linux

/// Standard output, or a file in its place; it is buffered and flushed before any wait.
final class Output {
  /// True for aligned columns, false for output to a program.
  var isForPeople = false
  /// True if it is a terminal, where control characters have an effect, also with `--json`.
  var isTerminal = false
  /// The columns of the terminal; `nil` if lines are not to be wrapped.
  var width: Int? { isTerminal && file == nil ? Terminal.size?.columns : nil }
  var palette = Palette.plain
  /// The palette of standard error.
  var errorPalette = Palette.plain
  private var buffer: [UInt8] = []
  /// The open file; `nil` for standard output.
  private let file: OwnedDescriptor?
  private let descriptor: Int32
  private let name: String

  init() {
    file = nil
    descriptor = StandardStream.output.rawValue
    name = "standard output"
  }

  /// - Parameter path: The name of the file, for messages.
  init(file: consuming OwnedDescriptor, path: String) {
    descriptor = file.number
    self.file = consume file
    name = path
  }

  private static let mostGathered = 64 << 10

  /// True if foreign text could control a terminal.
  private var isShown: Bool { isTerminal || palette.isColored }

  /// Prints a text of this program, with its line breaks and control characters.
  func text(_ text: String) { buffer.append(contentsOf: text.utf8) }

  /// Writes bytes unchanged.
  func bytes(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

  func line(_ text: String) { put(isShown ? text.visibleLine : text) }

  func line(_ text: MarkedText) { put(isShown ? palette.show(text) : text.plain) }

  /// Prints texts, which a terminal has wrapped at spaces.
  func lines(_ texts: [MarkedText]) {
    for text in texts { for line in text.wrapped(to: width) { self.line(line) } }
  }

  func line(_ bytes: [UInt8]) {
    if isShown { return line(String(decoding: bytes, as: UTF8.self)) }
    put(bytes)
  }

  /// Prints a single value; a string may have several lines.
  func value(_ bytes: [UInt8]) {
    if isShown { return put(String(decoding: bytes, as: UTF8.self).visibleLines) }
    put(bytes)
  }

  private func put(_ line: String) { put(Array(line.utf8)) }

  private func put(_ line: [UInt8]) {
    buffer.append(contentsOf: line)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Flushes the buffer if it is large.
  func flushIfLarge() throws(CommandError) {
    if buffer.count >= Self.mostGathered { try flush() }
  }

  func flush() throws(CommandError) {
    if buffer.isEmpty { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    let result: Result<Void, Errno> = buffer.withUnsafeBytes { bytes in
      do throws(Errno) {
        return .success(try Transfer(descriptor).writeAll(bytes))
      } catch {
        return .failure(error)
      }
    }
    guard case .failure(let error) = result else { return }
    throw error.number == EPIPE ? .outputClosed : CommandError(.unwritable, "\(name): \(error.reason)")
  }
}

extension Output {
  /// Prints lines on standard error, ignoring failures.
  func complain(_ lines: [MarkedText]) {
    let text = lines.map { errorPalette.show($0) + "\n" }.joined()
    try? Transfer(StandardStream.error.rawValue).writeAll(text)
  }
}

/// The columns of the terminal that messages go to; `nil` if they are not to be wrapped.
var errorColumns: Int? { StandardStream.error.isTerminal ? Terminal.size?.columns : nil }

/// Prints a message on standard error as one line, even with foreign text in it, ignoring failures.
///
/// - Parameter wraps: True to wrap it at spaces on a terminal.
func printError(_ text: String, wraps: Bool = true) {
  let lines =
    if wraps, let width = errorColumns { WrappedText.lines(text.visibleLine, width: width, column: 2) } else {
      [text.visibleLine]
    }
  try? Transfer(StandardStream.error.rawValue).writeAll(lines.joined(separator: "\n") + "\n")
}
