internal import JSON
internal import Linux
internal import WireProtocol

/// The output of subscriptions: values on standard output, and changes of signals on standard error.
final class EventPrinter {
  private let output: Output
  private let isJSON: Bool
  private let isRaw: Bool
  private let hasTimes: Bool
  /// True to print values without their signals' names.
  private let isBare: Bool
  private var nameWidth: Int

  init(_ invocation: Invocation, _ requests: [SubscribeRequest]) {
    output = invocation.output
    isJSON = invocation.isJSON
    isRaw = invocation.has("raw")
    hasTimes = invocation.has("timestamps")
    isBare = !output.isForPeople && requests.count == 1 && requests[0].signal.isName
    nameWidth = requests.map(\.signal.text.count).max() ?? 0
  }

  /// Creates a printer of the daemon's own lines, as in a recording.
  init(recordingTo output: Output) {
    self.output = output
    isJSON = true
    isRaw = false
    hasTimes = true
    isBare = false
    nameWidth = 0
  }

  /// Prints a line unchanged, in JSON mode.
  func echo(_ line: ServerLine) {
    if isJSON { output.line(line.text) }
  }

  /// Widens the column of names for new signals.
  func expect(_ signals: [JSONObject]) {
    nameWidth = max(nameWidth, signals.map { $0.text("signal").count }.max() ?? 0)
  }

  func value(_ line: ServerLine) {
    if isJSON { return echo(line) }
    let value = ValueText.bytes(line["value"], isRaw: isRaw)
    let time = line.string("at")
    if isBare { return output.line(time.map { Array("\($0)\t".utf8) + value } ?? value) }
    let name = line.string("signal") ?? ""
    let cells = output.isForPeople ? padded(name) + "  " : name + "\t"
    let separator = output.isForPeople ? "  " : "\t"
    output.line(Array(((time.map { $0 + separator } ?? "") + cells).utf8) + value)
  }

  private func padded(_ name: String) -> String {
    nameWidth = max(nameWidth, name.count)
    return name + String(repeating: " ", count: nameWidth - name.count)
  }

  /// Explains a line of the daemon, unless the line itself is printed.
  func note(_ text: String) {
    if !isJSON { warn(text) }
  }

  /// Prints a message that has no corresponding line of the daemon.
  func warn(_ text: String) {
    try? output.flush()
    printError("signalbox: \(text)")
  }

  /// Prints an additional event in JSON mode, between those of the daemon.
  func line(_ event: String, _ members: JSONObject) {
    guard isJSON else { return }
    var line: JSONObject = ["event": .string(event)]
    for member in members.members { line[member.key] = member.value }
    if hasTimes { line["at"] = .string(WallTime.now().text) }
    output.line(JSONValue.object(line).description)
  }
}
