import ReactiveCore

/// The bytes that several queues share, written into a handover once: a crowd of slow clients waits for the same events.
struct SharedParts {
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var all: [SharedBytes] = []

  mutating func store(_ shared: SharedBytes, in writer: inout StateWriter) {
    if let number = numbers[ObjectIdentifier(shared)] { return writer.count(number) }
    writer.count(all.count)
    writer.blob(shared.bytes)
    numbers[ObjectIdentifier(shared)] = all.count
    all.append(shared)
  }

  mutating func restore(from reader: inout StateReader) throws(StateError) -> SharedBytes {
    let number = Int(clamping: try reader.number())
    guard number <= all.count else { throw StateError("bytes are named before they are there") }
    if number == all.count { all.append(SharedBytes(Array(try reader.blob()))) }
    return all[number]
  }
}
