package import JSON
package import Signals

/// One entry of the system journal.
package struct SystemJournalEntry: Equatable, Sendable {
  /// The text that identifies the entry.
  package let cursor: String
  /// The time of its reception, in microseconds since 1970.
  package let realtime: UInt64
  /// The time of its reception, in microseconds since the machine was started.
  package let monotonic: UInt64
  package let fields: [Field]

  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: [UInt8]

    package init(name: String, value: [UInt8]) {
      self.name = name
      self.value = value
    }
  }

  package init(cursor: String, realtime: UInt64, monotonic: UInt64, fields: [Field]) {
    self.cursor = cursor
    self.realtime = realtime
    self.monotonic = monotonic
    self.fields = fields
  }

  /// The entry as `journalctl --output=json` prints it: texts, lists of numbers for values that are not UTF-8, and
  /// lists for repeated fields.
  package var payload: Payload {
    var object: JSONObject = [
      "__CURSOR": .string(cursor), "__REALTIME_TIMESTAMP": .string("\(realtime)"),
      "__MONOTONIC_TIMESTAMP": .string("\(monotonic)"),
    ]
    var lists: [String: [JSONValue]] = [:]
    for field in fields {
      lists[field.name, default: []].append(field.json)
      let values = lists[field.name] ?? []
      object[field.name] = values.count == 1 ? values[0] : .array(values)
    }
    return .value(.object(object))
  }
}

extension SystemJournalEntry.Field {
  fileprivate var json: JSONValue {
    if let text = String(validating: value, as: UTF8.self) { return .string(text) }
    return .array(value.map { .number(Double($0)) })
  }
}

extension SystemJournalEntry: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    cursor = try field(\.cursor)
    realtime = try field(\.realtime)
    monotonic = try field(\.monotonic)
    fields = try field(\.fields)
  }
}

extension SystemJournalEntry.Field: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    name = try field(\.name)
    value = try field(\.value)
  }
}
