internal import JSON
internal import Linux
internal import WireProtocol

/// Prints the events of subscriptions: values on standard output, and changes of signals on standard error.
final class EventPrinter {
  private let output: Output
  private let isJSON: Bool
  private let isRaw: Bool
  private let hasTimes: Bool
  /// Whether values are printed without their signals' names.
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

  /// Prints the daemon's own lines, as a recording holds them.
  init(recordingTo output: Output) {
    self.output = output
    isJSON = true
    isRaw = false
    hasTimes = true
    isBare = false
    nameWidth = 0
  }

  /// Prints a line as the daemon sent it, if that is wanted.
  func echo(_ line: ServerLine) {
    if isJSON { output.line(line.text) }
  }

  /// Makes room for names that are to come.
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

  /// Explains a line of the daemon, where the line itself is not printed.
  func note(_ text: String) {
    if !isJSON { warn(text) }
  }

  /// Tells a thing that no line of the daemon says.
  func warn(_ text: String) {
    try? output.flush()
    printError("signalbox: \(text)")
  }

  /// Prints an event that the daemon does not know, among those that it sent.
  func line(_ event: String, _ members: JSONObject) {
    guard isJSON else { return }
    var line: JSONObject = ["event": .string(event)]
    for member in members.members { line[member.key] = member.value }
    if hasTimes { line["at"] = .string(WallTime.now().text) }
    output.line(JSONValue.object(line).description)
  }
}
