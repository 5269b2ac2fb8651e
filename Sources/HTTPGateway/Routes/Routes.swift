/// All ways in.
enum Routes {
  static let all: [Route] = [
    .listSignals, .getSignal, .sendToSignal, .callAction, .followEvents, .drawGraph, .readMetrics, .tellHealth,
    .takeHook, .describeGateway, .describeSignal, .explainValue, .watchView, .showPage, .showPageStyle,
    .showPageProgram,
  ]
}
