internal import WireProtocol

/// Explains values of the past, by the client program and the folder of the daemon's durable graphs.
final class PastExplainer {
  /// A question that `signalbox why` answers.
  struct Question {
    let signal: String
    /// The number of the value; the last one without it and without a time.
    var number: UInt64?
    /// A moment, or so long ago.
    var time: String?
    var depth: Int?
    /// Whether it is asked why no value came.
    var isAboutSilence = false

    fileprivate var arguments: [String] {
      var arguments = ["why", "--format", "json"]
      if let time { arguments += ["--at", time] }
      if let depth { arguments += ["--depth", "\(depth)"] }
      if isAboutSilence { arguments.append("--not") }
      return arguments
    }

    /// What is no option, whatever it looks like.
    fileprivate var operands: [String] { ["--", signal] + (number.map { ["\($0)"] } ?? []) }
  }

  private let folder: String?
  private let program: ClientProgram

  /// - Parameter folder: `nil` where nothing of the past is to be told.
  init(folder: String?, _ program: ClientProgram) {
    self.folder = folder
    self.program = program
  }

  var isOffered: Bool { folder != nil }

  /// Answers later, with a line of JSON.
  func explain(
    _ question: Question, _ answer: @escaping (Result<[UInt8], Problem>) -> Void
  ) throws(Problem) -> ClientRun {
    guard let folder else {
      throw Problem(
        404, "not_found",
        "this gateway explains no values: that takes --state, the folder of the daemon's durable graphs")
    }
    let arguments = question.arguments + ["--state", folder] + question.operands
    do throws(ClientRun.Failure) {
      return try program.run(arguments) { result in
        answer(result.mapError(Problem.init(explaining:)).flatMap { $0.explanation })
      }
    } catch { throw Problem(explaining: error) }
  }

  /// Ends all that is going on.
  func stop() { program.stop() }
}

extension ClientRun.Outcome {
  /// What it put out, or the problem that it tells of by its status (`sysexits.h`).
  fileprivate var explanation: Result<[UInt8], Problem> {
    let message = message
    switch status {
    case 0: return .success(output)
    case 64: return .failure(Problem(400, ErrorCode.badRequest.rawValue, message))  // EX_USAGE
    case 65, 66: return .failure(Problem(503, ErrorCode.storage.rawValue, message))  // EX_DATAERR, EX_NOINPUT
    case 68: return .failure(Problem(404, ErrorCode.unknownSignal.rawValue, message))  // EX_NOHOST
    case 75: return .failure(Problem(404, ErrorCode.noValue.rawValue, message))  // EX_TEMPFAIL
    case 77:  // EX_NOPERM
      return .failure(
        Problem(503, ErrorCode.storage.rawValue, "\(message); run the gateway as one of them, or without --state"))
    default:
      return .failure(Problem(502, ErrorCode.failed.rawValue, "signalbox why has failed (\(status)): \(message)"))
    }
  }

  /// Its first line, without the name of the program.
  private var message: String {
    let line = String(complaint.prefix { $0 != "\n" })
    return line.hasPrefix("signalbox: ") ? String(line.dropFirst(11)) : line
  }
}

extension Problem {
  fileprivate init(explaining failure: ClientRun.Failure) {
    switch failure {
    case .missing(let name):
      self.init(503, "unavailable", "the program \(name) is neither beside signalbox-http nor in the system's folders")
    case .busy:
      self.init(
        503, ErrorCode.busy.rawValue, "other values are being explained; try again", headers: [("Retry-After", "1")])
    case .notStarted(let error): self.init(503, "unavailable", "signalbox why does not start: \(error)")
    case .timeout(let time):
      self.init(
        504, ErrorCode.timeout.rawValue,
        "it was not explained within \(time.components.seconds) s; ask for less depth, or try signalbox why")
    case .tooLong(let limit):
      self.init(
        502, ErrorCode.tooMany.rawValue,
        "the explanation is longer than \(limit) bytes; ask for less depth, or try signalbox why")
    case .killed(let number):
      self.init(502, ErrorCode.failed.rawValue, "signalbox why was ended by signal \(number)")
    }
  }
}
