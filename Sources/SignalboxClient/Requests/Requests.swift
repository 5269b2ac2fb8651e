internal import ClientCore

/// Requests and their answers, over as many connections as necessary.
///
/// The first connection is made for the first request, a new one when there is a request to repeat.
actor Requests {
  private typealias Waiter = CheckedContinuation<Result<[UInt8], SignalboxError>, Never>

  private let path: String
  private var backoff: Backoff
  private var requests = UnansweredRequests()
  private var waiters: [Int: Waiter] = [:]
  private var count = 0
  private var socket: Socket?
  /// The connection being written to.
  private var writing: Socket?
  private var run: Task<Void, Never>?
  private var isClosed = false

  init(path: String, backoff: ClosedRange<Duration>) {
    self.path = path
    self.backoff = Backoff(backoff)
  }

  /// Sends a request, waits for its answer and returns the line.
  func ask(_ fields: RequestFields, repeats: Bool) async throws(SignalboxError) -> [UInt8] {
    if isClosed || Task.isCancelled { throw .cancelled }
    count += 1
    let number = count
    let line = try fields.line(id: number)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        waiters[number] = waiter
        requests.add(line, number: number, isRepeatable: repeats)
        begin()
      }
    } onCancel: {
      Task { await abandon(number) }
    }
    return try result.get()
  }

  func close() {
    isClosed = true
    run?.cancel()
    socket?.shutDown()
    failAll(.cancelled)
  }

  /// Cancels a request; one that was sent is still answered.
  private func abandon(_ number: Int) {
    requests.abandon(number)
    finish(number, .failure(.cancelled))
  }

  private func finish(_ number: Int, _ result: Result<[UInt8], SignalboxError>) {
    waiters.removeValue(forKey: number)?.resume(returning: result)
  }

  private func failAll(_ error: SignalboxError) {
    requests = UnansweredRequests()
    for number in waiters.keys { finish(number, .failure(error)) }
  }

  private func begin() {
    if let socket {
      if writing !== socket { Task { await write(to: socket) } }
    } else if run == nil {
      run = Task { await serve() }
    }
  }

  // MARK: Connections

  private func serve() async {
    while !requests.isEmpty, !isClosed {
      do throws(SocketError) {
        let socket = try Socket(path: path)
        self.socket = socket
        Task { await write(to: socket) }
        try await takeAnswers(from: socket)
      } catch {
        if case .impossible(let message) = error { failAll(SignalboxError(.badRequest, message)) }
      }
      socket?.shutDown()
      socket = nil
      for number in requests.reconnect() { finish(number, .failure(.connectionLost)) }
      if !requests.isEmpty { try? await Task.sleep(for: backoff.pause()) }
    }
    run = nil
  }

  private func write(to socket: Socket) async {
    if writing === socket { return }
    writing = socket
    // Another connection may have been made meanwhile, with a writer of its own.
    defer { if writing === socket { writing = nil } }
    while socket === self.socket {
      let lines = requests.takeUnwritten()
      if lines.isEmpty { return }
      do throws(SocketError) { try await socket.write(lines) } catch { return socket.shutDown() }
    }
  }

  private func takeAnswers(from socket: Socket) async throws(SocketError) {
    var lines = LineBuffer()
    while true {
      let chunk = try await socket.read()
      if chunk.isEmpty { return }
      lines.append(chunk)
      while let line = lines.next().map(Array.init) {
        guard let answer = try? decoded(line, as: ServerLine.self), !answer.isOfConnection else { throw .ended }
        take(answer, line)
      }
    }
  }

  private func take(_ answer: ServerLine, _ line: [UInt8]) {
    backoff.reset()
    guard let number = answer.id ?? requests.oldest else { return }
    // Refused only because the daemon is shutting down: it goes to the next one.
    if answer.error?.code == .shuttingDown, requests.isRepeatable(number) { return }
    requests.answer(number)
    finish(number, answer.error.map { .failure($0) } ?? .success(line))
  }
}
