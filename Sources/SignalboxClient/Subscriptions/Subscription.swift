internal import ClientCore

/// The events of one subscription, across all its connections.
///
/// It has a connection of its own, which is read only as far as events are taken: a slow program delays only itself,
/// and the daemon's `overflow` policy applies. It ends with the signal, with `take`, with `cancel`, and with the
/// iterating task. One task at a time may wait for an event.
public actor Subscription<Value: Decodable & Sendable>: AsyncSequence {
  /// The type of its events.
  public typealias Element = SubscriptionEvent<Value>
  /// The type of its errors.
  public typealias Failure = SignalboxError

  /// The signal or the pattern.
  public nonisolated let signal: String
  private let path: String
  private var following: Following<Value>
  private var backoff: Backoff
  private var socket: Socket?
  private var lines = LineBuffer()
  /// Received events that were not taken yet, the next one last.
  private var events: [SubscriptionEvent<Value>] = []
  private var isCancelled = false
  private var isWaiting = false
  /// The pause before the next connection.
  private var sleep: Task<Void, Never>?

  init(path: String, backoff: ClosedRange<Duration>, signal: String, options: SubscriptionOptions) {
    self.path = path
    self.signal = signal
    self.backoff = Backoff(backoff)
    following = Following(signal, options)
  }

  deinit { socket?.shutDown() }

  /// Returns when the daemon has answered.
  func begin() async throws(SignalboxError) {
    while !following.isAnswered, !isCancelled {
      do throws(SignalboxError) { try await advance() } catch {
        cancel()
        throw error
      }
      if Task.isCancelled { cancel() }
    }
    if isCancelled { throw .cancelled }
  }

  /// Unsubscribes: no event follows, and a waiting task gets the end.
  public func cancel() {
    isCancelled = true
    events.removeAll()
    sleep?.cancel()
    disconnect()
  }

  /// Returns the next event; `nil` at the end.
  public func next() async throws(SignalboxError) -> SubscriptionEvent<Value>? {
    precondition(!isWaiting, "only one task may wait for the events of a subscription at a time")
    isWaiting = true
    defer { isWaiting = false }
    while events.isEmpty {
      if isCancelled || following.isOver || Task.isCancelled {
        disconnect()
        return nil
      }
      try await advance()
    }
    return events.removeLast()
  }

  private func disconnect() {
    socket?.shutDown()
    socket = nil
    lines = LineBuffer()
  }

  /// Processes the next line, or receives some.
  private func advance() async throws(SignalboxError) {
    guard let line = lines.next() else { return try await receive() }
    guard let line = try? decoded(Array(line), as: ValueLine<Value>.self) else { return try await wait(after: .ended) }
    do throws(Following<Value>.Failure) {
      events = try following.receive(line.line, line.value).reversed() + events
    } catch {
      switch error {
      case .reconnect: return try await wait(after: .ended)
      case .refused(let error): throw error
      }
    }
    if following.isGreeted { backoff.reset() }
    do throws(SocketError) { try await writeOutput() } catch { try await wait(after: error) }
  }

  private func receive() async throws(SignalboxError) {
    do throws(SocketError) {
      let chunk = try await connected().read()
      if isCancelled { return }
      if chunk.isEmpty { throw .ended }
      lines.append(chunk)
    } catch { try await wait(after: error) }
  }

  private func writeOutput() async throws(SocketError) {
    while !following.output.isEmpty { try await socket?.write(following.output.removeFirst()) }
  }

  private func connected() async throws(SocketError) -> Socket {
    if let socket { return socket }
    let socket = try Socket(path: path)
    self.socket = socket
    guard let greeting = try? following.greeting() else { throw .impossible("the options cannot be encoded") }
    try await socket.write(greeting)
    return socket
  }

  private func wait(after error: SocketError) async throws(SignalboxError) {
    disconnect()
    switch error {
    case .impossible(let message): throw SignalboxError(.badRequest, message)
    case .cancelled: return
    case .ended:
      let pause = backoff.pause()
      let sleep = Task { _ = try? await Task.sleep(for: pause) }
      self.sleep = sleep
      await withTaskCancellationHandler {
        await sleep.value
      } onCancel: {
        sleep.cancel()
      }
    }
  }

  // MARK: AsyncSequence

  /// Returns an iterator that continues with the events that were not taken yet.
  public nonisolated func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

  /// The iterator over the events of a subscription.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription

    /// Returns the next event; `nil` at the end.
    public mutating func next() async throws -> SubscriptionEvent<Value>? { try await subscription.next() }

    /// Returns the next event; `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SignalboxError) -> SubscriptionEvent<Value>? {
      try await subscription.next()
    }
  }
}

extension Client {
  /// Subscribes to a signal or a pattern; returns when the daemon has answered, and fails if it refuses.
  public func subscribe<Value: Decodable & Sendable>(
    to signal: String, as type: Value.Type = Value.self, _ options: SubscriptionOptions = SubscriptionOptions()
  ) async throws(SignalboxError) -> Subscription<Value> {
    let subscription = Subscription<Value>(path: path, backoff: backoff, signal: signal, options: options)
    try await subscription.begin()
    return subscription
  }

  /// Returns a signal with values of one type.
  public func signal<Value: Codable & Sendable>(_ name: String, as type: Value.Type = Value.self) -> RemoteSignal<Value>
  {
    RemoteSignal(client: self, name: name)
  }
}
