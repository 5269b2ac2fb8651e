package import JSON
package import Queues
package import ReactiveCore

// Values are written down so that they come back as they were: a payload with its bytes, a number with its bits, a scalar
// with the text in which it came.

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

  package init(from reader: inout StateReader) throws(StateError) { try self.init(from: &reader, depth: 0) }

  private init(from reader: inout StateReader, depth: Int) throws(StateError) {
    guard let kind = Kind(rawValue: try reader.byte()) else { throw StateError("a value of an unknown kind") }
    guard depth <= greatestMaximumDepth else { throw StateError("a value is nested too deeply") }
    switch kind {
    case .null: self = .null
    case .bool: self = .bool(try Bool(from: &reader))
    case .number: self = .number(try Double(from: &reader))
    case .string: self = .string(try reader.text())
    case .array:
      var elements: [JSONValue] = []
      for _ in 0..<(try reader.count()) { elements.append(try JSONValue(from: &reader, depth: depth + 1)) }
      self = .array(elements)
    case .object:
      var members: [JSONObject.Member] = []
      for _ in 0..<(try reader.count()) {
        members.append(
          JSONObject.Member(key: try reader.text(), value: try JSONValue(from: &reader, depth: depth + 1)))
      }
      self = .object(JSONObject(distinct: members))
    case .text: self = try RawJSON(from: &reader).value
    case .verbatim:
      let verbatim = Verbatim(try JSONValue(from: &reader, depth: depth + 1), text: try reader.text())
      guard verbatim.isWritten else { throw StateError("a text is not that of its value") }
      self = .verbatim(verbatim)
    }
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
