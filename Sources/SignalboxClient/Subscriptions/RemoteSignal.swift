public import ReactiveCore

/// A signal of a daemon, whose values are of one type.
public struct RemoteSignal<Value: Codable & Sendable>: Sendable {
  /// The client that asks for it.
  public let client: Client
  /// Its name.
  public let name: String

  /// Sends a value into it, and waits until it has been carried out; see `Client.send`.
  @discardableResult public func send(
    _ value: Value, messageID: String? = nil
  ) async throws(SignalboxError) -> Client.Sent {
    try await client.send(value, to: name, messageID: messageID)
  }

  /// The value that it holds.
  public func get() async throws(SignalboxError) -> Client.Held<Value> { try await client.get(name) }

  /// Its values, from those that are retained on; each iteration is a subscription of its own.
  ///
  /// A signal that fails, or is interrupted, throws. What was lost on the way is told by `Client.subscribe` alone.
  public var values: Values<Value> { values(SubscriptionOptions()) }

  /// Its values, as `options` want them.
  public func values(_ options: SubscriptionOptions) -> Values<Value> {
    Values(client: client, signal: name, options: options)
  }

  /// A producer of its values; each run is a subscription of its own.
  ///
  /// Values come on threads of Swift's tasks, one after the other: the next one is read from the socket when the one
  /// before has been delivered. It fails as the signal does, or as the daemon refuses, and is interrupted with it.
  public var producer: SignalProducer<Value, SignalboxError> { producer(SubscriptionOptions()) }

  /// A producer of its values, as `options` want them.
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

  /// A property that follows it, from a value that holds until the first one comes.
  ///
  /// It keeps its last value when the signal ends, or the daemon refuses; `producer` tells of that.
  public func property(initial: Value) -> Property<Value> {
    Property(initial: initial, then: producer.flatMapError { _ in .empty })
  }
}

/// The values of a signal.
public struct Values<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The kind of its errors.
  public typealias Failure = SignalboxError

  let client: Client
  let signal: String
  let options: SubscriptionOptions

  /// A subscription of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  /// Subscribes when the first value is asked for.
  public struct Iterator: AsyncIteratorProtocol {
    let values: Values
    private var subscription: Subscription<Value>?

    init(values: Values) { self.values = values }

    /// The next value; `nil` at the end.
    public mutating func next() async throws -> Value? { try await next(isolation: nil) }

    /// The next value, on the caller's actor.
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
        // The end of the task is the end of the iteration.
        if error.code == .cancelled { return nil }
        throw error
      }
    }
  }
}
