internal import ClientCore

/// Requests and their answers, over as many connections as necessary.
///
/// The first connection is made for the first request, a new one when there is a request to repeat.
actor Requests {
  private typealias Waiter = CheckedContinuation<Result<[UInt8], SignalboxError>, Never>

  private let path: String
  private var backoff: Backoff
  private var requests = UnansweredRequests<Waiter>()
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
        requests.add(line, number: number, isRepeatable: repeats, waiter)
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
    fail(requests.removeAll(), .cancelled)
  }

  /// Cancels a request; one that was sent is still answered.
  private func abandon(_ number: Int) { fail([requests.abandon(number)].compactMap(\.self), .cancelled) }

  private func fail(_ waiters: [Waiter], _ error: SignalboxError) {
    for waiter in waiters { waiter.resume(returning: .failure(error)) }
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
        if case .impossible(let message) = error { fail(requests.removeAll(), SignalboxError(.badRequest, message)) }
      }
      socket?.shutDown()
      socket = nil
      fail(requests.reconnect(), .connectionLost)
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
    requests.answer(number)?.resume(returning: answer.error.map { .failure($0) } ?? .success(line))
  }
}
