import Base
import GraphModel

/// Reads an ending: `completed`, `interrupted`, `failed` or `{failed: {code, message}}`, with `status` for a call.
enum EndingReader {
  private static let form = "completed, interrupted, failed or {failed: {code: …}}"

  /// Reads the ending of a step.
  static func ending(_ reader: Reader) -> SignalEnding? {
    switch expected(reader) {
    case .completed: .completed
    case .interrupted: .interrupted
    case .failed: .failed(failure(reader) ?? SignalFailure(code: "error", message: ""))
    case .value, nil: nil
    }
  }

  /// Reads the ending of a call, whose failure may have a status.
  static func endingOfCall(_ reader: Reader) -> (ending: SignalEnding, status: Int32?)? {
    guard let failure = reader.node["failed"], reader.node.entries?.count == 1 else {
      return ending(reader).map { ($0, nil) }
    }
    return FailureReader.readOfCall(reader.context.reader(failure)).map { (.failed($0.failure), $0.status) }
  }

  /// Reads an expected ending.
  static func expected(_ reader: Reader) -> ExpectedEvent.Outcome? {
    switch reader.node.scalar?.text {
    case "completed": return .completed
    case "interrupted": return .interrupted
    case "failed": return .failed(code: nil)
    default: break
    }
    if reader.node["failed"] != nil, reader.node.entries?.count == 1 {
      return failure(reader).map { .failed(code: $0.code) }
    }
    reader.refuse(
      expected: form,
      suggestion: reader.node.scalar.flatMap {
        Suggestion.likely(for: $0.text, among: ["completed", "interrupted", "failed"])
      })
    return nil
  }

  private static func failure(_ reader: Reader) -> SignalFailure? {
    reader.node["failed"].flatMap { FailureReader.read(reader.context.reader($0)) }
  }
}
