internal import Glibc
internal import Linux
internal import SignalGraph

/// Standard output: gathers what is printed and writes it before anyone waits.
final class Output {
  /// Whether a person reads it, who wants columns; else a program does.
  var isForPeople = false
  var palette = Palette.plain
  /// The one of standard error.
  var errorPalette = Palette.plain
  private var buffer: [UInt8] = []

  private static let mostGathered = 64 << 10

  /// Whether what others wrote could steer a terminal.
  private var isShown: Bool { isForPeople || palette.isColored }

  func text(_ text: String) { buffer.append(contentsOf: text.utf8) }

  func line(_ text: String) {
    buffer.append(contentsOf: (isShown ? text.visibleLines : text).utf8)
    buffer.append(UInt8(ascii: "\n"))
  }

  func line(_ text: MarkedText) {
    buffer.append(contentsOf: (isShown ? palette.show(text) : text.plain).utf8)
    buffer.append(UInt8(ascii: "\n"))
  }

  func line(_ bytes: [UInt8]) {
    if isShown { return line(String(decoding: bytes, as: UTF8.self)) }
    buffer.append(contentsOf: bytes)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Writes what has been gathered, if it is much.
  func flushIfLarge() throws(CommandError) {
    if buffer.count >= Self.mostGathered { try flush() }
  }

  func flush() throws(CommandError) {
    if buffer.isEmpty { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    let result: Result<Void, Errno> = buffer.withUnsafeBytes { bytes in
      do throws(Errno) {
        return .success(try Transfer(StandardStream.output.rawValue).writeAll(bytes))
      } catch {
        return .failure(error)
      }
    }
    guard case .failure(let error) = result else { return }
    throw error.number == EPIPE ? .outputClosed : CommandError(.unwritable, "standard output: \(error.reason)")
  }
}

extension Output {
  /// Tells a person something on standard error, if it can be told.
  func complain(_ lines: [MarkedText]) {
    let text = lines.map { errorPalette.show($0) + "\n" }.joined()
    try? Transfer(StandardStream.error.rawValue).writeAll(text)
  }
}

/// Tells a person something on standard error, if it can be told.
func printError(_ text: String) {
  try? Transfer(StandardStream.error.rawValue).writeAll(text.visibleLines + "\n")
}
