internal import Glibc
internal import Linux
internal import SignalGraph

/// Standard output, or a file in its place: gathers text and writes it before any wait.
final class Output {
  /// Whether a person reads it and wants columns; else a program does.
  var isForPeople = false
  /// Whether it is a terminal, where control characters have an effect, with `--json` as well.
  var isTerminal = false
  var palette = Palette.plain
  /// The one of standard error.
  var errorPalette = Palette.plain
  private var buffer: [UInt8] = []
  /// The file, kept open; `nil` for standard output.
  private let file: OwnedDescriptor?
  private let descriptor: Int32
  private let name: String

  init() {
    file = nil
    descriptor = StandardStream.output.rawValue
    name = "standard output"
  }

  /// - Parameter path: its name, for messages.
  init(file: consuming OwnedDescriptor, path: String) {
    descriptor = file.number
    self.file = consume file
    name = path
  }

  private static let mostGathered = 64 << 10

  /// Whether text from elsewhere could steer a terminal.
  private var isShown: Bool { isTerminal || palette.isColored }

  /// Prints a text of this program's own, with its lines and control characters.
  func text(_ text: String) { buffer.append(contentsOf: text.utf8) }

  /// Writes bytes as they are.
  func bytes(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

  func line(_ text: String) { put(isShown ? text.visibleLine : text) }

  func line(_ text: MarkedText) { put(isShown ? palette.show(text) : text.plain) }

  func line(_ bytes: [UInt8]) {
    if isShown { return line(String(decoding: bytes, as: UTF8.self)) }
    put(bytes)
  }

  /// Prints a value that stands alone: one that is a text may have several lines.
  func value(_ bytes: [UInt8]) {
    if isShown { return put(String(decoding: bytes, as: UTF8.self).visibleLines) }
    put(bytes)
  }

  private func put(_ line: String) { put(Array(line.utf8)) }

  private func put(_ line: [UInt8]) {
    buffer.append(contentsOf: line)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Writes the gathered text, if it is long.
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
  /// Tells a person something on standard error, if it can be told.
  func complain(_ lines: [MarkedText]) {
    let text = lines.map { errorPalette.show($0) + "\n" }.joined()
    try? Transfer(StandardStream.error.rawValue).writeAll(text)
  }
}

/// Tells a person something on standard error, if it can be told: on one line, even with text from elsewhere in it.
func printError(_ text: String) {
  try? Transfer(StandardStream.error.rawValue).writeAll(text.visibleLine + "\n")
}
