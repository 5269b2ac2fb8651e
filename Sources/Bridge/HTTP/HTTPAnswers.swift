internal import JSON
internal import Linux

/// The results that transfers are turned into.
enum HTTPAnswers {
  /// Returns the answer to a task.
  ///
  /// - Parameter isFull: True to add the status and the headers.
  static func answer(_ result: Result<HTTPTransfer, TransferFailure>, _ settings: HTTPSettings, isFull: Bool)
    -> TaskAnswer
  {
    switch check(result, settings) {
    case .failure(let failure): return .failed(failure)
    case .success(let transfer):
      let head = transfer.head ?? TransferHead()
      if transfer.body.isEmpty && !isFull { return .done(nil) }
      let type = head.header("content-type")
      return .done(
        TaskAnswer.Output(
          body: Body(transfer.body, contentType: type), contentType: type, details: isFull ? details(head) : nil))
    }
  }

  /// Returns the transfer if its status is one of success.
  ///
  /// - Parameter isConditional: True for a request of what has changed, for which 304 is a success.
  static func check(
    _ result: Result<HTTPTransfer, TransferFailure>, _ settings: HTTPSettings, isConditional: Bool = false
  ) -> Result<HTTPTransfer, TaskFailure> {
    switch result {
    case .failure(let failure): return .failure(self.failure(failure, settings))
    case .success(let transfer):
      guard let head = transfer.head else { return .failure(TaskFailure("connect", "no answer", isTemporary: true)) }
      let isSuccess = 200..<300 ~= head.status || isConditional && head.status == 304
      return isSuccess ? .success(transfer) : .failure(failure(head))
    }
  }

  /// Returns the failure for a status.
  static func failure(_ head: TransferHead) -> TaskFailure {
    var failure = TaskFailure(
      "http", HTTPStatus.text(of: head.status), status: head.status, isTemporary: HTTPStatus.isTemporary(head.status))
    failure.after = RetryAfter.seconds(head.header("retry-after"), now: WallTime.now().microseconds / 1_000_000)
    return failure
  }

  /// Returns the failure of a transfer without an answer.
  static func failure(_ failure: TransferFailure, _ settings: HTTPSettings) -> TaskFailure {
    let message = settings.redacted(failure.message).visible
    switch failure.kind {
    case .connection, .stopped: return TaskFailure("connect", message, isTemporary: true)
    case .timeout: return TaskFailure("timeout", message, isTemporary: true)
    case .security: return TaskFailure("tls", message)
    case .tooLarge: return TaskFailure("too_large", message)
    case .redirection: return TaskFailure("http", message, status: failure.status)
    case .request: return TaskFailure("bad_request", message)
    }
  }

  /// Returns the status and the headers for the daemon.
  static func details(_ head: TransferHead) -> JSONObject {
    var headers = JSONObject()
    for header in head.headers {
      let former = headers.string(header.name)
      headers[header.name] = .string(former.map { "\($0), \(header.value)" } ?? header.value)
    }
    return ["status": .number(Double(head.status)), "headers": .object(headers)]
  }
}
