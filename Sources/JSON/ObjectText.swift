/// The writer of objects of scalars as text with an outline of the members, so that the text need not be parsed again.
package final class ObjectText {
  /// The outcome for a member.
  package enum Outcome {
    case written
    /// A scalar that is written with an escape or an exponent, or cannot be written.
    case unusual
    /// An array or an object.
    case nested
  }

  // Appending to an array takes 80 instructions, and there are two appends per member.
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: firstCapacity, alignment: 8)
  private var length = 0
  private var outline = Outline()
  private var writer = JSONWriter()
  private var spare = SpareTexts()

  private static let firstCapacity = 512

  package init() {}

  deinit { buffer.deallocate() }

  /// The number of written members.
  package var count: Int { outline.count }

  /// Begins an object.
  package func begin() {
    if buffer.count > Outline.mostBytes { allocate(Self.firstCapacity) }
    length = 0
    outline.begin()
  }

  /// Copies members of an object that keeps its text, up to the next computed one of the form; missing ones are null.
  package func copy(_ form: ObjectForm, from object: RawJSON) -> Outcome {
    let (isFlat, isCompact) = (object.isFlat, object.isCompact)
    return object.withMembers { members, text in
      form.names.withUnsafeBytes { names in
        form.fields.withUnsafeBufferPointer { fields in
          var next = 0
          while outline.count < fields.count {
            let field = fields[outline.count]
            guard field.isCopied else { break }
            guard let index = Self.index(of: field, names, in: members, text, from: next) else {
              write(names.bytes(field.key), Self.bytes("null"))
              continue
            }
            if !isFlat, text[Int(members[index].start)].opensContainer { return .nested }
            next = index &+ 1
            guard isCompact && field.keepsKey else {
              write(names.bytes(field.key), text.bytes(members[index].value))
              continue
            }
            // Those that follow in both are copied at once, with their keys.
            let start = text.baseAddress.unsafelyUnwrapped
            var following = outline.count &+ 1
            while following < fields.count, next < members.count, fields[following].keepsKey,
              fields[following].isSource(members[next], in: start, names)
            {
              following &+= 1
              next &+= 1
            }
            write(index, next, of: members, text)
          }
          return .written
        }
      }
    }
  }

  /// Returns the index of a member; most forms name them in their order.
  @inline(__always)
  private static func index(
    of field: ObjectForm.Field, _ names: UnsafeRawBufferPointer, in members: UnsafeBufferPointer<Outline.Member>,
    _ text: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    let text = text.baseAddress.unsafelyUnwrapped
    for index in start..<members.count where field.isSource(members[index], in: text, names) { return index }
    for index in 0..<start where field.isSource(members[index], in: text, names) { return index }
    return nil
  }

  /// True if a form copies all members of an object in their order, so that its text would be the same.
  package static func isUnchanged(_ object: RawJSON, by form: ObjectForm) -> Bool {
    guard form.onlyCopies, object.memberCount == form.fields.count, object.isCompact else { return false }
    return object.withMembers { members, text in
      form.names.withUnsafeBytes { names in
        members.indices.allSatisfy { index in
          form.fields[index].isSource(members[index], in: text.baseAddress.unsafelyUnwrapped, names)
        }
      }
    }
  }

  /// Copies members of objects that keep their texts and are members of an object, up to the next other one of the
  /// form; missing ones are null.
  package func copy(_ form: ObjectForm, inside object: JSONObject) -> Outcome {
    form.names.withUnsafeBytes { names in
      form.fields.withUnsafeBufferPointer { fields in
        while outline.count < fields.count, let outer = fields[outline.count].outer {
          guard let source = object.text(of: form.outers[outer]) else { break }
          let isFlat = source.isFlat
          let outcome = source.withMembers { members, text -> Outcome in
            var next = 0
            while outline.count < fields.count, fields[outline.count].outer == outer {
              let field = fields[outline.count]
              guard let index = Self.index(of: field, names, in: members, text, from: next) else {
                write(names.bytes(field.key), Self.bytes("null"))
                continue
              }
              if !isFlat, text[Int(members[index].start)].opensContainer { return .nested }
              next = index &+ 1
              write(names.bytes(field.key), text.bytes(members[index].value))
            }
            return .written
          }
          guard case .written = outcome else { return outcome }
        }
        return .written
      }
    }
  }

  /// Appends the value of the next member.
  package func append(_ form: ObjectForm, _ value: JSONValue) -> Outcome {
    writer.bytes.removeAll(keepingCapacity: true)
    switch value {
    case .null, .bool: writer.write(value)
    case .number(let number):
      guard number.isFinite else { return .unusual }
      writer.write(number)
      if writer.bytes.contains(UInt8(ascii: "e")) { return .unusual }
    case .string(let string):
      if string.utf8.contains(where: JSONWriter.needsEscape) { return .unusual }
      writer.write(string)
    case .verbatim: return .unusual
    case .array, .object: return .nested
    }
    form.names.withUnsafeBytes { names in
      writer.bytes.withUnsafeBytes { write(names.bytes(form.fields[outline.count].key), $0) }
    }
    return .written
  }

  /// Appends a string as the value of the next member, by its UTF-8 without quotes, or null.
  package func append(_ form: ObjectForm, string: UnsafeRawBufferPointer?) -> Outcome {
    form.names.withUnsafeBytes { names in
      let key = names.bytes(form.fields[outline.count].key)
      guard let string else {
        write(key, Self.bytes("null"))
        return .written
      }
      if PlainValue.needsEscape(string) { return .unusual }
      let start = begin(key)
      put(Self.bytes("\""))
      put(string)
      put(Self.bytes("\""))
      note(start, key)
      return .written
    }
  }

  /// Ends the object.
  ///
  /// - Returns: `nil` beyond the length of an outline.
  package func end() -> RawJSON? {
    put(Self.bytes("}"))
    if length > Outline.mostBytes { return nil }
    let text = UnsafeRawBufferPointer(rebasing: buffer[..<length]).assumingMemoryBound(to: UInt8.self)
    return RawJSON(written: text.span, outline: outline, reusing: &spare)
  }

  /// Writes consecutive members of a compact text, with their keys and the comma or bracket before each.
  private func write(
    _ first: Int, _ end: Int, of members: UnsafeBufferPointer<Outline.Member>, _ text: UnsafeRawBufferPointer
  ) {
    let start = length
    let source = Int(members[first].keyStart) - 2
    put(text.bytes(source..<Int(members[end - 1].end)))
    buffer[start] = start == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")
    let distance = UInt16(truncatingIfNeeded: start &- source)
    for index in first..<end { outline.append(members[index].moved(by: distance)) }
  }

  private func write(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    let start = begin(key)
    put(value)
    note(start, key)
  }

  /// Writes the key of a member, and returns the place where that begins.
  @inline(__always)
  private func begin(_ key: UnsafeRawBufferPointer) -> Int {
    let start = length
    put(key)
    if start == 0 { buffer[0] = UInt8(ascii: "{") }
    return start
  }

  /// Adds the member that was written to the outline.
  @inline(__always)
  private func note(_ start: Int, _ key: UnsafeRawBufferPointer) {
    outline.append(
      Outline.Member(
        keyStart: UInt16(truncatingIfNeeded: start + 2), keyEnd: UInt16(truncatingIfNeeded: start + key.count - 2),
        start: UInt16(truncatingIfNeeded: start + key.count), end: UInt16(truncatingIfNeeded: length)))
  }

  @inline(__always)
  private func put(_ bytes: UnsafeRawBufferPointer) {
    if length + bytes.count > buffer.count { allocate(2 * (length + bytes.count)) }
    (buffer.baseAddress.unsafelyUnwrapped + length).copyMemory(
      from: bytes.baseAddress.unsafelyUnwrapped, byteCount: bytes.count)
    length += bytes.count
  }

  /// Replaces the buffer by one of another size, with the contents.
  private func allocate(_ count: Int) {
    let old = buffer
    buffer = .allocate(byteCount: count, alignment: 8)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: old[..<min(length, count)]))
    old.deallocate()
  }

  private static func bytes(_ text: StaticString) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
