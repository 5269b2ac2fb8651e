import ReactiveCore
import Testing

/// The article about `concat:` and `catchTo:`, whose signals AC and AE send x and y and then complete or fail, and B
/// sends z.
@Suite struct ConcatAndCatchSamples {
  private static let ac = SignalProducer<String, SampleError>(values: "x", "y")
  private static let ae = ac.concat(error: .failed)
  private static let b = SignalProducer<String, SampleError>(value: "z")

  @Test func `AC concat B is x, y, z, completed`() {
    #expect(events(Self.ac.concat(Self.b)) == [.value("x"), .value("y"), .value("z"), .completed])
  }

  @Test func `AE concat B is x, y, error`() {
    #expect(events(Self.ae.concat(Self.b)) == [.value("x"), .value("y"), .failed(.failed)])
  }

  @Test func `AC catchTo B is x, y, completed`() {
    #expect(events(Self.ac.flatMapError { _ in Self.b }) == [.value("x"), .value("y"), .completed])
  }

  @Test func `AE catchTo B is x, y, z, completed`() {
    #expect(events(Self.ae.flatMapError { _ in Self.b }) == [.value("x"), .value("y"), .value("z"), .completed])
  }

  private func events(
    _ producer: SignalProducer<String, SampleError>
  ) -> [Event<String, SampleError>] {
    var events: [Event<String, SampleError>] = []
    producer.start { events.append($0) }
    return events
  }
}
