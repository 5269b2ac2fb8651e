internal import WireProtocol

/// Explains and lists past values with the client program and the state folder of the daemon's durable graphs.
final class PastReader {
  /// A question for `signalbox why`.
  struct Question {
    let signal: String
    /// The sequence number of the value; the last value without it and without a time.
    var number: UInt64?
    /// A point in time or an age.
    var time: String?
    var depth: Int?
    /// True if it asks why there was no value.
    var isAboutSilence = false

    fileprivate var arguments: [String] {
      var arguments = ["why", "--format", "json"]
      if let time { arguments += ["--at", time] }
      if let depth { arguments += ["--depth", "\(depth)"] }
      if isAboutSilence { arguments.append("--not") }
      return arguments
    }

    /// The operands, which must not be taken for options.
    fileprivate var operands: [String] { ["--", signal] + (number.map { ["\($0)"] } ?? []) }
  }

  /// A question for `signalbox history --values`.
  struct Span {
    let signals: [String]
    let length: Duration
    let step: Duration
    let keepsExtremes: Bool

    fileprivate var arguments: [String] {
      let (since, step) = (milliseconds(length), milliseconds(step))
      return ["history", "--values", "--since", since, "--step", step, "--within", milliseconds(Self.time)]
        + (keepsExtremes ? ["--extremes"] : [])
    }

    private func milliseconds(_ duration: Duration) -> String {
      "\(duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000)ms"
    }

    /// The time for the replay, less than that of the program.
    private static let time = Duration.seconds(7)
  }

  fileprivate enum Subject: String {
    case explanation, history

    /// The advice after an answer that is too much.
    var remedy: String {
      switch self {
      case .explanation: "reduce the depth, or use signalbox why"
      case .history: "shorten the period"
      }
    }
  }

  private let folder: String?
  private let program: ClientProgram

  /// - Parameter folder: The state folder; `nil` if past values are not explained.
  init(folder: String?, _ program: ClientProgram) {
    self.folder = folder
    self.program = program
  }

  var isOffered: Bool { folder != nil }

  /// Answers later, with a line of JSON.
  func explain(
    _ question: Question, _ answer: @escaping (Result<[UInt8], Problem>) -> Void
  ) throws(Problem) -> ClientRun {
    try run(question.arguments, question.operands, .explanation, answer)
  }

  /// Answers later, with lines of JSON.
  func values(
    _ span: Span, _ answer: @escaping (Result<[UInt8], Problem>) -> Void
  ) throws(Problem) -> ClientRun {
    try run(span.arguments, ["--"] + span.signals, .history, answer)
  }

  private func run(
    _ arguments: [String], _ operands: [String], _ subject: Subject,
    _ answer: @escaping (Result<[UInt8], Problem>) -> Void
  ) throws(Problem) -> ClientRun {
    guard let folder else {
      throw Problem(404, "not_found", "the past requires --state, the state folder of the daemon")
    }
    do throws(ClientRun.Failure) {
      return try program.run(arguments + ["--state", folder] + operands) { result in
        answer(result.mapError { Problem($0, of: subject) }.flatMap { $0.answer(of: arguments[0]) })
      }
    } catch { throw Problem(error, of: subject) }
  }

  /// Stops all runs.
  func stop() { program.stop() }
}

extension ClientRun.Outcome {
  /// The output, or the problem that its exit status reports (`sysexits.h`).
  fileprivate func answer(of command: String) -> Result<[UInt8], Problem> {
    let message = message
    switch status {
    case 0: return .success(output)
    case 64: return .failure(Problem(400, ErrorCode.badRequest.rawValue, message))  // EX_USAGE
    case 65, 66: return .failure(Problem(503, ErrorCode.storage.rawValue, message))  // EX_DATAERR, EX_NOINPUT
    case 68: return .failure(Problem(404, ErrorCode.unknownSignal.rawValue, message))  // EX_NOHOST
    case 75: return .failure(Problem(404, ErrorCode.noValue.rawValue, message))  // EX_TEMPFAIL
    case 77:  // EX_NOPERM
      return .failure(
        Problem(
          503, ErrorCode.storage.rawValue, "\(message); run the gateway as one of these users, or without --state"))
    default:
      return .failure(Problem(502, ErrorCode.failed.rawValue, "signalbox \(command) failed (\(status)): \(message)"))
    }
  }

  /// The first line of its standard error, without the name of the program.
  private var message: String {
    let line = String(complaint.prefix { $0 != "\n" })
    return line.hasPrefix("signalbox: ") ? String(line.dropFirst(11)) : line
  }
}

extension Problem {
  fileprivate init(_ failure: ClientRun.Failure, of subject: PastReader.Subject) {
    switch failure {
    case .missing(let name):
      self.init(503, "unavailable", "no program \(name) beside signalbox-http or in the system's folders")
    case .busy:
      self.init(
        503, ErrorCode.busy.rawValue, "too many questions about the past in progress; try again",
        headers: [("Retry-After", "1")])
    case .notStarted(let error): self.init(503, "unavailable", "cannot start signalbox: \(error)")
    case .timeout(let time):
      self.init(
        504, ErrorCode.timeout.rawValue,
        "the \(subject) took longer than \(time.components.seconds) s; \(subject.remedy)")
    case .tooLong(let limit):
      self.init(
        502, ErrorCode.tooMany.rawValue,
        "the \(subject) exceeds \(limit) bytes; \(subject.remedy)")
    case .killed(let number):
      self.init(502, ErrorCode.failed.rawValue, "signalbox was killed by signal \(number)")
    }
  }
}
