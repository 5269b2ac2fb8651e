package import JSON

/// The parser of request lines.
///
/// The common `send` line takes one pass and yields its value as the received bytes; every other request is read by its
/// declaration.
package struct RequestParser: ~Copyable {
  /// The deepest nesting of a line.
  package var maximumDepth: Int
  private var json = JSONParser()
  private var members: [JSONMember] = []
  /// True while the members are those of the line in which `send` has found another request: a long one is not read twice.
  private var hasMembers = false
  /// The outline of the value in the last line of the common form, or of any value since.
  private var outline = Outline()
  private var spare = SpareTexts()

  package init(maximumDepth: Int = defaultMaximumDepth) { self.maximumDepth = maximumDepth }

  /// Returns the positions in a common `send`; `nil` for every other line, including invalid ones, which `parse`
  /// handles next.
  package mutating func send(in line: Span<UInt8>) -> SendLine? {
    hasMembers = false
    guard line.count > 0, line[0] == UInt8(ascii: "{") else { return nil }
    if let form = SendForm(line), isValue(line.extracting(form.value)) { return SendLine(form) }
    guard (try? json.readMembers(of: line, into: &members, maximumDepth: maximumDepth)) == true else { return nil }
    let send = SendLine(line, members)
    hasMembers = send == nil
    return send
  }

  private mutating func isValue(_ text: Span<UInt8>) -> Bool {
    json.isValue(text, within: 1, maximumDepth: maximumDepth, outline: &outline)
  }

  /// Returns the value of a `send` that was found in the line.
  package mutating func payload(of send: SendLine, in line: Span<UInt8>) -> Payload {
    let text = line.extracting(send.value)
    if !send.isOutlined { _ = isValue(text) }
    return .raw(RawJSON(validated: text, outline: outline, reusing: &spare))
  }

  /// Parses a line without its end that is neither blank nor a comment.
  ///
  /// Offsets in errors count from the line's first byte, spaces included.
  package mutating func parse(_ line: Span<UInt8>) throws(Refusal) -> RequestLine {
    guard let first = line.firstNonSpace, line[first] == UInt8(ascii: "{") else { return try parseShorthand(line) }
    if !hasMembers {
      do {
        _ = try json.readMembers(of: line, into: &members, maximumDepth: maximumDepth)
      } catch {
        throw refusal(of: line, error)
      }
    }
    hasMembers = false
    if let send = SendLine(line, members) { return send.requestLine(of: line) }
    return try LineFields(line, members, &outline).requestLine()
  }

  /// A line that is valid JSON except for a value is answered as the request that it is.
  private mutating func refusal(of line: Span<UInt8>, _ error: JSONError) -> Refusal {
    guard error.kind == .badValue else { return Refusal(WireError(error)) }
    let sound = membersOfRefused(line).filter { member in
      isValid(line.bytes(member.value))
        && isValid(line.bytes((member.key.lowerBound - 1)..<(member.key.upperBound + 1)))
    }
    let fields = LineFields(line, sound, &outline)
    return Refusal(id: (try? fields.id()) ?? nil, op: try? fields.op(), WireError(error))
  }

  private func isValid(_ text: [UInt8]) -> Bool {
    (try? JSONParser.value(onThisThread: text.span, maximumDepth: maximumDepth)) != nil
  }

  private mutating func parseShorthand(_ line: Span<UInt8>) throws(Refusal) -> RequestLine {
    if let offset = line.firstWrongUTF8 {
      throw Refusal(WireError(JSONError(.syntax, offset: offset, "wrong UTF-8")))
    }
    var words = ShorthandWords(line.bytes(0..<line.count))
    let op = words.next() ?? ""
    guard let declaration = RequestDeclaration.named(op) else {
      throw Refusal(op: op, RequestDeclaration.unknownOp(op))
    }
    var fields: [LineMember] = []
    for part in declaration.shorthand {
      switch part {
      case .word(let name):
        if let word = words.next() { fields.append(LineMember(key: name, string: word)) }
      case .signalOrGraph:
        if let word = words.next() {
          fields.append(LineMember(key: word.utf8.contains(0x2E) ? "signal" : "graph", string: word))
        }
      case .rest(let name):
        if let text = try value(of: line, words.rest()) { fields.append(LineMember(key: name, text: text)) }
      }
    }
    do throws(WireError) {
      if let extra = words.next() {
        throw WireError(.badRequest, "unexpected word \(extra.quoted); usage: \(declaration.usage)")
      }
      return try declaration.requestLine(id: nil, fields)
    } catch {
      throw Refusal(op: op, error)
    }
  }

  /// Returns the JSON value at a position in the line; `nil` if that is empty.
  private mutating func value(of line: Span<UInt8>, _ place: Range<Int>) throws(Refusal) -> RawJSON? {
    if place.isEmpty { return nil }
    let text = line.bytes(place)
    do {
      _ = try json.value(of: text.span, maximumDepth: maximumDepth)
    } catch {
      throw Refusal(WireError(JSONError(error.kind, offset: error.offset + place.lowerBound, error.message)))
    }
    return RawJSON(validated: text)
  }
}

extension RequestDeclaration {
  /// Creates the request from its fields.
  func requestLine(id: RequestID?, _ fields: [LineMember]) throws(WireError) -> RequestLine {
    if needsID && id == nil {
      throw WireError(.badRequest, "\"\(op)\" needs an \"id\" for its events and its answer")
    }
    return RequestLine(id: id, request: try read(fields))
  }
}

extension LineMember {
  fileprivate init(key: String, string: String) {
    self.init(key: key, text: RawJSON(validated: JSONValue.string(string).json))
  }
}
