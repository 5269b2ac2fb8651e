package import SignalGraph

/// A program that a test plays.
package final class PlayedProgram: RunningProgram {
  package let program: Program
  package private(set) var isTerminated = false
  private var receive: ((ProgramEvent) -> Void)?

  package init(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) {
    self.program = program
    self.receive = receive
  }

  /// Whether nobody hears it any more.
  package var isOver: Bool { receive == nil }

  package func terminate() { isTerminated = true }

  package func print(_ text: String) { receive?(.output(Array(text.utf8))) }

  /// As the real ones do, it lets go of those whom it tells.
  package func end(_ end: ProgramEnd) { receive.take()?(.ended(end)) }
}
