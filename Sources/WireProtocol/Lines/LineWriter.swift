package import JSON

/// The writer of one line: an object with its members in the order of the calls.
package struct LineWriter {
  package var json: JSONWriter

  /// Begins a reply: `{"reply":"get","id":7`.
  package mutating func begin(reply op: StaticString, id: RequestID?) {
    begin("reply", op)
    if let id {
      json.write(literal: ",\"id\":")
      json.write(text: id.bytes)
    }
  }

  /// Begins an object with its first member, whose value is a word.
  package mutating func begin(_ key: StaticString, _ word: StaticString) {
    json.write(literal: "{\"")
    json.write(literal: key)
    json.write(literal: "\":\"")
    json.write(literal: word)
    json.write(literal: "\"")
  }

  mutating func key(_ key: StaticString) {
    json.write(literal: ",\"")
    json.write(literal: key)
    json.write(literal: "\":")
  }

  package mutating func member(_ key: StaticString, _ value: String) {
    self.key(key)
    json.write(value)
  }

  package mutating func member(_ key: StaticString, _ value: JSONValue) {
    self.key(key)
    json.write(value)
  }

  package mutating func member(_ key: StaticString, _ value: Payload) {
    self.key(key)
    json.write(value)
  }

  package mutating func member(_ key: StaticString, _ value: Int) {
    self.key(key)
    json.write(value)
  }

  package mutating func member(_ key: StaticString, _ value: UInt64) {
    self.key(key)
    json.write(value)
  }

  /// Writes a member whose value is given as JSON text.
  package mutating func member(_ key: StaticString, text: [UInt8]) {
    self.key(key)
    json.write(text: text)
  }

  package mutating func members(_ object: JSONObject) {
    for member in object.members {
      json.write(literal: ",")
      json.write(member.key)
      json.write(literal: ":")
      json.write(member.value)
    }
  }

  package mutating func member(_ key: StaticString, _ names: [String]) {
    member(key, .array(names.map { .string($0) }))
  }
}

/// Appends a line that `body` writes up to its last member, and adds the closing brace and the end of line.
package func appendLine(to bytes: inout [UInt8], _ body: (inout LineWriter) -> Void) {
  var line = LineWriter(json: JSONWriter(bytes))
  bytes = []  // the writer is the only owner while it writes, so that nothing is copied
  body(&line)
  line.json.write(literal: "}\n")
  bytes = line.json.bytes
}
