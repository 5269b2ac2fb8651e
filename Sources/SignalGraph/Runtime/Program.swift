/// A program that a graph has run.
package struct Program: Equatable, Sendable {
  /// Its file, as an absolute path or as a name to be looked for, and its arguments.
  package let command: [String]
  /// The text on its standard input.
  package let input: [UInt8]
  /// Variables of its environment, as `NAME=value`, beside those that all programs have.
  package let environment: [String]
  /// The signal or action for which it runs, by its full name.
  package let owner: String
  package let purpose: Purpose

  /// What a program is run for.
  package enum Purpose: Sendable {
    /// Its output is a signal's values.
    case source
    /// Somebody waits for its output.
    case call
    /// It acts on something that has happened: in a durable graph it runs once that is kept.
    case effect
  }

  init(
    _ command: [String], input: [UInt8] = [], environment: [String] = [], owner: String, purpose: Purpose = .source
  ) {
    self.command = command
    self.input = input
    self.environment = environment
    self.owner = owner
    self.purpose = purpose
  }
}

/// An event of a running program: pieces of its output come first, then its end.
package enum ProgramEvent: Equatable, Sendable {
  /// Bytes of its standard output, cut anywhere.
  case output([UInt8])
  case ended(ProgramEnd)
}

/// How a program came to its end.
package enum ProgramEnd: Equatable, Sendable {
  /// With an exit status.
  case exited(Int32)
  /// By a signal of the system, such as 9.
  case killed(Int32)
  /// It could not be started, and this is why.
  case notStarted(String)
}

/// A program at work, for its starter; it does not keep what is told of it.
package protocol RunningProgram: AnyObject {
  /// Asks it to end (SIGTERM), and has it ended 5 s later (SIGKILL); its end is told as any other, at once perhaps.
  func terminate()
}

extension ProgramEnd {
  /// The exit status, where it has one.
  var status: Int32? {
    if case .exited(let status) = self { status } else { nil }
  }

  /// The mistake in it; `nil` where there is none.
  ///
  /// - Parameter program: The program, for the message.
  func failure(of program: Program) -> SignalFailure? {
    let name = program.command.first ?? ""
    switch self {
    case .exited(0): return nil
    case .exited(let status): return SignalFailure(code: "exit", message: "\(name) ended with status \(status)")
    case .killed(let number): return SignalFailure(code: "exit", message: "\(name) was ended by signal \(number)")
    case .notStarted(let reason): return SignalFailure(code: "exec", message: "\(name) cannot be run: \(reason)")
    }
  }
}
