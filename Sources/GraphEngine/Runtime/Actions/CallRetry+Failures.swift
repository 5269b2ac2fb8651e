import GraphModel

extension CallRetry {
  /// Indicates that a call is tried again after a failure.
  func covers(_ failure: CallFailure) -> Bool {
    guard let reasons else { return failure.advice?.isUseful ?? true }
    return reasons.contains { $0.covers(failure) }
  }
}

extension RetryReason {
  /// A failure that cannot mend itself, as the side that carried out the call says, is covered only where its very
  /// status is named.
  fileprivate func covers(_ failure: CallFailure) -> Bool {
    let isUseful = failure.advice?.isUseful ?? true
    return switch self {
    case .connect: isUseful && failure.failure.code == "connect"
    case .timeout: isUseful && failure.failure.code == "timeout"
    case .status(let status): failure.status == status
    case .statuses(let digit): isUseful && failure.status.map { $0 / 100 == digit } ?? false
    }
  }
}
