/// Requests and their answers, over as many connections as necessary.
///
/// The first connection is made for the first request, a new one when there is a request to repeat.
actor Requests {
  private struct Pending {
    let number: Int
    let line: [UInt8]
    /// True if it may be sent again when a connection ended before its answer.
    let repeats: Bool
    var isWritten = false
    /// `nil` once cancelled.
    var waiter: CheckedContinuation<Result<[UInt8], SignalboxError>, Never>?
  }

  private let path: String
  private var backoff: Backoff
  private var pending: [Pending] = []
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
        pending.append(Pending(number: number, line: line, repeats: repeats, waiter: waiter))
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
    for request in pending { request.waiter?.resume(returning: .failure(.cancelled)) }
    pending.removeAll()
  }

  /// Cancels a request; one that was sent is still answered.
  private func abandon(_ number: Int) {
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
    pending[index].waiter?.resume(returning: .failure(.cancelled))
    pending[index].waiter = nil
    if !pending[index].isWritten { pending.remove(at: index) }
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
    while !pending.isEmpty, !isClosed {
      do throws(SocketError) {
        let socket = try Socket(path: path)
        self.socket = socket
        Task { await write(to: socket) }
        try await takeAnswers(from: socket)
      } catch {
        if case .impossible(let message) = error { refuseAll(SignalboxError(.badRequest, message)) }
      }
      socket?.shutDown()
      socket = nil
      discardLost()
      if !pending.isEmpty { try? await Task.sleep(for: backoff.pause()) }
    }
    run = nil
  }

  private func write(to socket: Socket) async {
    if writing === socket { return }
    writing = socket
    // Another connection may have been made meanwhile, with a writer of its own.
    defer { if writing === socket { writing = nil } }
    while socket === self.socket, let index = pending.firstIndex(where: { !$0.isWritten }) {
      var bytes: [UInt8] = []
      for place in pending.indices[index...] where !pending[place].isWritten {
        pending[place].isWritten = true
        bytes += pending[place].line
      }
      do throws(SocketError) { try await socket.write(bytes) } catch { return socket.shutDown() }
    }
  }

  private func takeAnswers(from socket: Socket) async throws(SocketError) {
    var splitter = LineSplitter()
    while true {
      let chunk = try await socket.read()
      if chunk.isEmpty { return }
      for line in splitter.split(chunk) {
        guard let answer = try? decoded(line, as: ServerLine.self) else { throw .ended }
        if answer.isOfConnection { throw .ended }
        take(answer, line)
      }
    }
  }

  private func take(_ answer: ServerLine, _ line: [UInt8]) {
    backoff.reset()
    // Answers arrive in order, so one without an id belongs to the oldest request.
    let index = answer.id.map { id in pending.firstIndex { $0.number == id } } ?? pending.indices.first
    guard let index else { return }
    // Refused only because the daemon is shutting down: it goes to the next one.
    if answer.error?.code == .shuttingDown, pending[index].repeats { return }
    let request = pending.remove(at: index)
    request.waiter?.resume(returning: answer.error.map { .failure($0) } ?? .success(line))
  }

  private func discardLost() {
    let lost = pending.filter { $0.waiter == nil || $0.isWritten && !$0.repeats }
    pending.removeAll { $0.waiter == nil || $0.isWritten && !$0.repeats }
    for request in lost { request.waiter?.resume(returning: .failure(.connectionLost)) }
    for index in pending.indices { pending[index].isWritten = false }
  }

  private func refuseAll(_ error: SignalboxError) {
    for request in pending { request.waiter?.resume(returning: .failure(error)) }
    pending.removeAll()
  }
}
