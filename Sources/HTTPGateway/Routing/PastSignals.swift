internal import GraphModel
internal import WireProtocol

/// The signals whose past the state folder has: those of durable graphs.
struct PastSignals {
  /// `nil` if this program cannot read the configuration: then all signals may have a past.
  private let names: Set<String>?

  /// - Parameter hello: The daemon's answer, with the state of its configuration.
  init(_ context: GatewayContext, after hello: ServerLine) {
    let configuration = try? context.picture.configuration(
      generation: hello.number("generation") ?? 0, epoch: hello.string("epoch") ?? "")
    names = configuration.map { $0.names(in: .folder) }
  }

  func contains(_ name: String) -> Bool { names?.contains(name) ?? true }
}
