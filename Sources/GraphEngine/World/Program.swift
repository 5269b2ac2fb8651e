package import GraphModel

/// A program that a graph runs.
package struct Program: Equatable, Sendable {
  /// Its file, as an absolute path or as a name to look up, and its arguments.
  package let command: [String]
  /// The text on its standard input.
  package let input: [UInt8]
  /// Additional variables of its environment, as `NAME=value`.
  package let environment: [String]
  /// The full name of the signal or action that it runs for.
  package let owner: String
  package let purpose: Purpose
  /// True for one that stays: it answers each line of its input by one line, and the next run goes to the same process.
  package let isKept: Bool

  /// The purpose of a program.
  package enum Purpose: Sendable {
    /// Its output is a signal's values.
    case source
    /// A caller waits for its output.
    case call
    /// It acts on an event: in a durable graph it runs once that is committed.
    case effect
  }

  package init(
    _ command: [String], input: [UInt8] = [], environment: [String] = [], owner: String, purpose: Purpose = .source,
    isKept: Bool = false
  ) {
    self.command = command
    self.input = input
    self.environment = environment
    self.owner = owner
    self.purpose = purpose
    self.isKept = isKept
  }

  /// The program, without the input of a call.
  package var withoutInput: Program {
    Program(command, environment: environment, owner: owner, purpose: purpose, isKept: isKept)
  }
}

/// An event of a running program: pieces of its output, then its end.
package enum ProgramEvent: Equatable, Sendable {
  /// Bytes of its standard output, cut anywhere.
  case output([UInt8])
  case ended(ProgramEnd)
}

/// The end of a program.
package enum ProgramEnd: Equatable, Sendable {
  /// An exit with a status.
  case exited(Int32)
  /// A termination by a signal of the system, such as 9.
  case killed(Int32)
  /// A failed start, with the reason.
  case notStarted(String)
}

/// A handle to a running program for its starter; it does not retain the receiver of events.
package protocol RunningProgram: AnyObject {
  /// Requests the end (SIGTERM) and forces it 5 s later (SIGKILL); the end is reported as any other, possibly at once.
  func terminate()
}

extension ProgramEnd {
  /// The exit status, if any.
  var status: Int32? {
    if case .exited(let status) = self { status } else { nil }
  }

  /// Returns the failure that the end represents; `nil` for success.
  ///
  /// - Parameter program: The program, for the message.
  package func failure(of program: Program) -> SignalFailure? {
    let name = program.command.first ?? ""
    switch self {
    case .exited(0): return nil
    case .exited(let status): return SignalFailure(code: "exit", message: "\(name) exited with status \(status)")
    case .killed(let number): return SignalFailure(code: "exit", message: "\(name) was killed by signal \(number)")
    case .notStarted(let reason): return SignalFailure(code: "exec", message: "cannot run \(name): \(reason)")
    }
  }
}
