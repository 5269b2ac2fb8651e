package import GraphEngine

/// A program controlled by a test.
package final class PlayedProgram: RunningProgram {
  package let program: Program
  package private(set) var isTerminated = false
  private var receive: ((ProgramEvent) -> Void)?

  package init(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) {
    self.program = program
    self.receive = receive
  }

  /// True if its output has no receiver any more.
  package var isOver: Bool { receive == nil }

  package func terminate() { isTerminated = true }

  package func print(_ text: String) { print(Array(text.utf8)) }

  package func print(_ bytes: [UInt8]) { receive?(.output(bytes)) }

  /// Like the real ones, it releases its receiver.
  package func end(_ end: ProgramEnd) { receive.take()?(.ended(end)) }
}
