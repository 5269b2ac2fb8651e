public import ReactiveCore

/// A signal of a daemon with values of one type.
public struct RemoteSignal<Value: Codable & Sendable>: Sendable {
  /// The client for its requests.
  public let client: Client
  /// Its name.
  public let name: String

  /// Sends a value, and waits until it has been executed; see `Client.send`.
  @discardableResult public func send(
    _ value: Value, messageID: String? = nil
  ) async throws(SignalboxError) -> Client.Sent {
    try await client.send(value, to: name, messageID: messageID)
  }

  /// Returns its current value.
  public func get() async throws(SignalboxError) -> Client.Held<Value> { try await client.get(name) }

  /// Its values, starting with the retained ones; each iteration is a subscription of its own.
  ///
  /// The failure or interruption of the signal is thrown. Lost values are reported by `Client.subscribe` alone.
  public var values: Values<Value> { values(SubscriptionOptions()) }

  /// Returns its values under `options`.
  public func values(_ options: SubscriptionOptions) -> Values<Value> {
    Values(client: client, signal: name, options: options)
  }

  /// A producer of its values; each run is a subscription of its own.
  ///
  /// Values arrive on threads of Swift's tasks, serially: the next one is read from the socket when the previous one
  /// has been delivered. It fails if the signal fails or the daemon refuses, and is interrupted with the signal.
  public var producer: SignalProducer<Value, SignalboxError> { producer(SubscriptionOptions()) }

  /// Returns a producer of its values under `options`.
  public func producer(_ options: SubscriptionOptions) -> SignalProducer<Value, SignalboxError> {
    let values = values(options)
    return SignalProducer { observer, lifetime in
      let task = Task {
        var iterator = values.makeAsyncIterator()
        do throws(SignalboxError) {
          while let value = try await iterator.next(isolation: nil) { observer.send(value: value) }
          observer.sendCompleted()
        } catch {
          if error.code == .interrupted { observer.sendInterrupted() } else { observer.send(error: error) }
        }
      }
      lifetime.observeEnded { task.cancel() }
    }
  }

  /// Returns a property that follows it, with an initial value until the first one arrives.
  ///
  /// It keeps its last value when the signal ends or the daemon refuses; use `producer` to observe that.
  public func property(initial: Value) -> Property<Value> {
    Property(initial: initial, then: producer.flatMapError { _ in .empty })
  }
}

/// The values of a signal.
public struct Values<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The type of its errors.
  public typealias Failure = SignalboxError

  let client: Client
  let signal: String
  let options: SubscriptionOptions

  /// Returns an iterator with a subscription of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  /// Subscribes when the first value is requested.
  public struct Iterator: AsyncIteratorProtocol {
    let values: Values
    private var subscription: Subscription<Value>?

    init(values: Values) { self.values = values }

    /// Returns the next value; `nil` at the end.
    public mutating func next() async throws -> Value? { try await next(isolation: nil) }

    /// Returns the next value, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(SignalboxError) -> Value? {
      do throws(SignalboxError) {
        if subscription == nil { subscription = try await values.client.subscribe(to: values.signal, values.options) }
        while let event = try await subscription?.next() {
          switch event.kind {
          case .next(let value, _, _, _): return value
          case .failed(let error): throw error
          case .interrupted(let reason):
            throw SignalboxError(.interrupted, "\(event.signal) was interrupted\(reason.map { ": \($0)" } ?? "")")
          default: continue
          }
        }
        return nil
      } catch {
        // Cancelling the task ends the iteration.
        if error.code == .cancelled { return nil }
        throw error
      }
    }
  }
}
