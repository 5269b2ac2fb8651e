/// All routes.
enum Routes {
  static let all: [Route] = [
    .listSignals, .getSignal, .getValues, .getHistory, .sendToSignal, .callAction, .followEvents, .drawGraph,
    .readMetrics, .reportHealth, .takeHook, .describeGateway, .describeSignal, .explainValue, .listViews, .watchView,
    .showPage, .showPageStyle,
    .showPageProgram, .serveFile,
  ]
}
