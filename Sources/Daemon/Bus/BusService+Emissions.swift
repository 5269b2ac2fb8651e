import GraphEngine
import GraphModel
import JSON
import Linux
import World

// Broadcast messages about signals.
extension BusService {
  func announce(_ event: ExportedSignal.Event, of signal: ExportedSignal) {
    guard let link else { return }
    switch event {
    case .value((let value, let sequence)):
      let variant = BusValue.emission(value.value)
      let number = BusValue.variant(.uint64, BusValue(sequence))
      if changed([("Value", variant), ("Sequence", number)], of: signal, on: link) {
        emitNext(variant, number, of: signal, on: link)
      } else {
        // D-Bus lists a changed property without its value as invalidated.
        changed([("Sequence", number)], without: ["Value"], of: signal, on: link)
      }
    case .turned: changed([("Ended", ended(signal))], of: signal, on: link)
    }
    link.host.settleLater()
  }

  /// Announces changed properties.
  ///
  /// - Parameter others: Properties to announce without a value.
  /// - Returns: `false` if D-Bus cannot represent the values.
  @discardableResult
  private func changed(
    _ properties: [(String, BusValue)], without others: [String] = [], of signal: ExportedSignal, on link: BusLink
  ) -> Bool {
    do {
      var message = try OutgoingBusMessage.signal(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: signal.path, on: link.connection)
      try message.append(strings: Self.interface)
      try message.append(Self.dictionary(properties), as: .dictionary(key: .string, value: .variant))
      try message.append(.list(others.map(BusValue.string)), as: .array(.string))
      try? link.connection.send(message)
      return true
    } catch {
      return false
    }
  }

  private func emitNext(_ value: BusValue, _ number: BusValue, of signal: ExportedSignal, on link: BusLink) {
    guard
      var message = try? OutgoingBusMessage.signal("Next", of: Self.interface, at: signal.path, on: link.connection),
      (try? message.append(value, as: .variant)) != nil, case .variant(let type, let number) = number,
      (try? message.append(number, as: type)) != nil
    else { return }
    try? link.connection.send(message)
  }

  static func dictionary(_ properties: [(String, BusValue)]) -> BusValue {
    .dictionary(properties.map { .init(key: $0.0, value: $0.1) })
  }

  /// Returns the ending of a signal; an empty text while it runs.
  func ended(_ signal: ExportedSignal) -> BusValue {
    let word = signals.channel(of: signal)?.signal.ending.map(Self.word) ?? ""
    return .variant(.string, .string(word))
  }

  private static func word(for ending: SignalEnding) -> String {
    switch ending {
    case .completed: "completed"
    case .failed: "failed"
    case .interrupted: "interrupted"
    }
  }
}
