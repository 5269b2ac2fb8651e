import Signals

/// Bytes shared by several queues, written into a handover once: many slow clients wait for the same events.
struct SharedParts {
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var all: [SharedBytes] = []

  mutating func encode(_ shared: SharedBytes, to writer: inout StateEncoder) {
    if let number = numbers[ObjectIdentifier(shared)] { return writer.count(number) }
    writer.count(all.count)
    writer.blob(shared.bytes)
    numbers[ObjectIdentifier(shared)] = all.count
    all.append(shared)
  }

  mutating func restore(from reader: inout StateDecoder) throws(StateError) -> SharedBytes {
    let number = Int(clamping: try reader.number())
    guard number <= all.count else { throw StateError("reference to missing bytes") }
    if number == all.count { all.append(SharedBytes(Array(try reader.blob()))) }
    return all[number]
  }
}
