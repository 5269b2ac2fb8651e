package import JSON
package import Queues
package import ReactiveCore

// Values are written down so that they come back as they were: a payload with its bytes, a number with its bits, a
// scalar with the text in which it came.

extension Payload: Storable {
  package func store(in writer: inout StateWriter) {
    switch self {
    case .raw(let raw):
      writer.byte(0)
      raw.store(in: &writer)
    case .value(let value):
      writer.byte(1)
      value.store(in: &writer)
    }
  }

  package init(from reader: inout StateReader) throws(StateError) {
    if try reader.byte() == 0 {
      self = .raw(try RawJSON(from: &reader))
    } else {
      self = .value(try JSONValue(from: &reader))
    }
  }
}

extension RawJSON: Storable {
  package func store(in writer: inout StateWriter) {
    // An object of which the parser has made notes is written as it came wherever it goes, another one is taken apart.
    hasOutline.store(in: &writer)
    writer.blob(bytes)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    let hasOutline = try Bool(from: &reader)
    guard let raw = RawJSON(checking: Array(try reader.blob()), isOutlined: hasOutline) else {
      throw StateError("a value is not JSON")
    }
    self = raw
  }
}

extension JSONValue: Storable {
  private enum Kind: UInt8 {
    case null, bool, number, string, array, object, text, verbatim
  }

  package func store(in writer: inout StateWriter) {
    func kind(_ kind: Kind) { writer.byte(kind.rawValue) }
    switch self {
    case .null: kind(.null)
    case .bool(let bool):
      kind(.bool)
      bool.store(in: &writer)
    case .number(let number):
      kind(.number)
      number.store(in: &writer)
    case .string(let text):
      kind(.string)
      writer.text(text)
    case .array(let elements):
      kind(.array)
      elements.store(in: &writer)
    case .object(let object):
      if let text = object.text {
        kind(.text)
        text.store(in: &writer)
        return
      }
      kind(.object)
      let members = object.members
      writer.count(members.count)
      for member in members {
        writer.text(member.key)
        member.value.store(in: &writer)
      }
    case .verbatim(let verbatim):
      kind(.verbatim)
      verbatim.value.store(in: &writer)
      writer.text(verbatim.text)
    }
  }

  /// Open containers stand in a list and not on the stack: a damaged state may be nested as deeply as it is long.
  package init(from reader: inout StateReader) throws(StateError) {
    var open: [OpenContainer] = []
    while true {
      guard var value = try Self.scalar(from: &reader, or: &open) else { continue }
      while let container = open.last, container.lacksOne {
        value = open.removeLast().closed(with: value)
      }
      guard !open.isEmpty else {
        self = value
        return
      }
      try open[open.count - 1].append(value, &reader)
    }
  }

  /// Reads a value that holds no other; where one begins that does, that is opened.
  private static func scalar(
    from reader: inout StateReader, or open: inout [OpenContainer]
  ) throws(StateError) -> JSONValue? {
    guard let kind = Kind(rawValue: try reader.byte()) else { throw StateError("a value of an unknown kind") }
    switch kind {
    case .null: return .null
    case .bool: return .bool(try Bool(from: &reader))
    case .number: return .number(try Double(from: &reader))
    case .string: return .string(try reader.text())
    case .text: return try RawJSON(from: &reader).value
    case .verbatim:
      guard let value = try scalar(from: &reader) else { throw StateError("a text is not that of its value") }
      let verbatim = Verbatim(value, text: try reader.text())
      guard verbatim.isWritten else { throw StateError("a text is not that of its value") }
      return .verbatim(verbatim)
    case .array, .object:
      let count = try reader.count()
      guard count > 0 else { return kind == .array ? .array([]) : .object(JSONObject()) }
      guard open.count < greatestMaximumDepth else { throw StateError("a value is nested too deeply") }
      open.append(OpenContainer(count: count, key: kind == .object ? try reader.text() : nil))
      return nil
    }
  }

  /// Reads a number or a string.
  private static func scalar(from reader: inout StateReader) throws(StateError) -> JSONValue? {
    switch Kind(rawValue: try reader.byte()) {
    case .number: .number(try Double(from: &reader))
    case .string: .string(try reader.text())
    default: nil
    }
  }
}

/// An array or an object of which not all values have been read.
private struct OpenContainer {
  /// How many values it has.
  let count: Int
  /// The key of the next value, of an object.
  var key: String?
  private var elements: [JSONValue] = []
  private var members: [JSONObject.Member] = []

  init(count: Int, key: String?) {
    self.count = count
    self.key = key
  }

  /// Whether only its last value has not been read.
  var lacksOne: Bool { elements.count + members.count + 1 == count }

  /// The container with its last value.
  consuming func closed(with value: JSONValue) -> JSONValue {
    guard let key else { return .array(elements + [value]) }
    return .object(JSONObject(distinct: members + [JSONObject.Member(key: key, value: value)]))
  }

  mutating func append(_ value: JSONValue, _ reader: inout StateReader) throws(StateError) {
    guard let key else { return elements.append(value) }
    members.append(JSONObject.Member(key: key, value: value))
    self.key = try reader.text()
  }
}

extension Verbatim {
  /// Whether its text is that of its value.
  fileprivate var isWritten: Bool {
    let text = Array(text.utf8)
    return (try? JSONParser.value(onThisThread: text.span))?.plain == value
  }
}

extension SignalFailure: Storable {
  package func store(in writer: inout StateWriter) {
    writer.text(code)
    writer.text(message)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self.init(code: try reader.text(), message: try reader.text())
  }
}

extension SignalEnding: Storable {
  package func store(in writer: inout StateWriter) {
    switch self {
    case .completed: writer.byte(0)
    case .interrupted: writer.byte(1)
    case .failed(let failure):
      writer.byte(2)
      failure.store(in: &writer)
    }
  }

  package init(from reader: inout StateReader) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .completed
    case 1: self = .interrupted
    default: self = .failed(try SignalFailure(from: &reader))
    }
  }
}

extension FirstInFirstOut: Storable where Element: Storable {
  package func store(in writer: inout StateWriter) { all.store(in: &writer) }

  package init(from reader: inout StateReader) throws(StateError) {
    self.init()
    for element in try [Element](from: &reader) { append(element) }
  }
}
