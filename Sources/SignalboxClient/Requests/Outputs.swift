internal import ClientCore

/// The outputs of a called action.
public struct Outputs<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The type of its errors.
  public typealias Failure = SignalboxError

  let path: String
  let request: RequestFields

  /// Returns an iterator with a call of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(path: path, request: request) }

  /// Calls the action when the first output is requested, and cancels the call on deinitialisation.
  public final class Iterator: AsyncIteratorProtocol {
    private let path: String
    private let request: RequestFields
    private var socket: Socket?
    private var lines = LineBuffer()
    private var isOver = false

    init(path: String, request: RequestFields) {
      self.path = path
      self.request = request
    }

    deinit { socket?.shutDown() }

    /// Returns the next output; `nil` at the end of the call.
    public func next() async throws -> Value? { try await next(isolation: nil) }

    /// Returns the next output, on the caller's actor.
    public func next(isolation actor: isolated (any Actor)?) async throws(SignalboxError) -> Value? {
      if isOver { return nil }
      do throws(SignalboxError) {
        if let value = try await advance() { return value }
        end()
        return nil
      } catch {
        end()
        // Cancelling the task ends the iteration.
        if error.code == .cancelled { return nil }
        throw error
      }
    }

    private func end() {
      isOver = true
      socket?.shutDown()
      socket = nil
    }

    private func advance(isolation actor: isolated (any Actor)? = #isolation) async throws(SignalboxError) -> Value? {
      let bytes = try await line()
      let line = try decoded(bytes, as: ValueLine<Value>.self)
      if let error = line.line.error { throw error }
      switch line.value {
      case .success(let value)?: return value
      case .failure(let error)?: throw .undecodable(error)
      case nil: return nil
      }
    }

    private func line(isolation actor: isolated (any Actor)? = #isolation) async throws(SignalboxError) -> [UInt8] {
      do throws(SocketError) {
        while true {
          if let line = lines.next() { return Array(line) }
          let chunk = try await connected().read()
          if chunk.isEmpty { throw SocketError.ended }
          lines.append(chunk)
        }
      } catch {
        switch error {
        case .ended: throw .connectionLost
        case .cancelled: throw .cancelled
        case .impossible(let message): throw SignalboxError(.badRequest, message)
        }
      }
    }

    private func connected(isolation actor: isolated (any Actor)? = #isolation) async throws(SocketError) -> Socket {
      if let socket { return socket }
      let socket = try Socket(path: path)
      self.socket = socket
      guard let line = try? request.line(id: 1) else { throw .impossible("the value of the call cannot be encoded") }
      // A daemon that closes the connection before it has read the call gives its reason, which is read next.
      do throws(SocketError) { try await socket.write(line) } catch { if case .ended = error {} else { throw error } }
      return socket
    }
  }
}
