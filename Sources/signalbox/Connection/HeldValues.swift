internal import JSON
internal import WireProtocol

/// The values that signals hold, as texts.
enum HeldValues {
  /// The number of signals whose values are read.
  private static let most = 1000

  /// Returns the values that a pattern covers by the names of their signals; none if there are too many for one reply.
  static func read(matching pattern: SignalPattern?, _ connection: Connection) throws(CommandError) -> [String: String]
  {
    var request = ValuesRequest()
    request.pattern = pattern
    do throws(CommandError) {
      let samples = try connection.ask(request).objects("values")
      return Dictionary(samples.map { ($0.text("signal"), $0["value"]?.description ?? "") }) { first, _ in first }
    } catch {
      if error.status == .unreachable { throw error }
      return [:]
    }
  }

  /// Returns the values by the names of their signals, without those that hold none.
  static func read(_ names: [String], _ connection: Connection) throws(CommandError) -> [String: String] {
    var values: [String: String] = [:]
    for name in names.prefix(most) {
      // It may have lost its value meanwhile.
      do throws(CommandError) {
        let value = try connection.ask(GetRequest(signal: name))["value"]
        values[name] = String(decoding: ValueText.bytes(value, isRaw: false), as: UTF8.self)
      } catch { if error.status == .unreachable { throw error } }
    }
    return values
  }
}
