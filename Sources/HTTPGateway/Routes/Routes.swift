/// All routes.
enum Routes {
  static let all: [Route] = [
    .listSignals, .getSignal, .getValues, .getHistory, .sendToSignal, .callAction, .followEvents, .drawGraph,
    .readMetrics, .reportHealth, .takeHook, .describeGateway, .describeSignal, .explainValue, .listViews, .watchView,
    .showPage, .showPageStyle, .showPageProgram, .serveFile,
  ]

  /// The requests with their effects.
  static var explained: [(word: String, meaning: String)] {
    all.map { ("\($0.methods.joined(separator: ", ")) \($0.path)", $0.summary) }
  }
}
