import CSystemd
import Glibc

/// Reads values at the current position of a message.
///
/// Values that cannot be represented are skipped, so that the rest remains readable; `fault` contains the reason.
struct BusReader {
  private let message: OpaquePointer
  private let limits: BusLimits
  private var rest: Int
  private var depth = 0
  private(set) var fault: BusValueError?

  init(_ message: OpaquePointer, _ limits: BusLimits) {
    self.message = message
    self.limits = limits
    rest = limits.bytes
  }

  /// Resets the limits for another value; a malformed message stays so.
  mutating func begin() {
    rest = limits.bytes
    if fault != .malformed { fault = nil }
  }

  /// Reads the next value; `nil` if there is a fault.
  mutating func value() -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard check(sd_bus_message_peek_type(message, &type, &contents) > 0), spend(8) else { return nil }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "b"): return basic(type, Int32(0)).map { .bool($0 != 0) }
    case UInt8(ascii: "d"): return basic(type, 0.0).map { .double($0) }
    case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"): return string(type).map { .string($0) }
    case UInt8(ascii: "a"): return array(contents)
    case UInt8(ascii: "r"): return container(type, contents) { $0.elements() }.map { .list($0) }
    case UInt8(ascii: "v"): return container(type, contents) { $0.value() }
    case UInt8(ascii: "h"): return refuse(.descriptor)
    default: return integer(type)
    }
  }

  private mutating func integer(_ type: CChar) -> BusValue? {
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "y"): basic(type, UInt8(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "n"): basic(type, Int16(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "q"): basic(type, UInt16(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "i"): basic(type, Int32(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "u"): basic(type, UInt32(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "x"): basic(type, Int64(0)).map { .integer($0) }
    case UInt8(ascii: "t"): basic(type, UInt64(0)).map { BusValue($0) }
    default: refuse(.malformed)
    }
  }

  private mutating func basic<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) -> Number? {
    var number = zero
    return check(sd_bus_message_read_basic(message, type, &number) > 0) ? number : nil
  }

  private mutating func string(_ type: CChar) -> String? {
    var text: UnsafePointer<CChar>?
    guard check(sd_bus_message_read_basic(message, type, &text) > 0), let text, spend(strlen(text)) else { return nil }
    return String(cString: text)
  }

  private mutating func array(_ contents: UnsafePointer<CChar>?) -> BusValue? {
    let type = CChar(UInt8(ascii: "a"))
    guard let contents else { return refuse(.malformed) }
    switch UInt8(bitPattern: contents[0]) {
    case UInt8(ascii: "y"): return bytes()
    case UInt8(ascii: "{"): return container(type, contents) { $0.members() }.map { .dictionary($0) }
    default: return container(type, contents) { $0.elements() }.map { .list($0) }
    }
  }

  private mutating func bytes() -> BusValue? {
    var start: UnsafeRawPointer?
    var count = 0
    guard check(sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &count) >= 0), spend(count) else {
      return nil
    }
    return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
  }

  private mutating func elements() -> [BusValue]? {
    var elements: [BusValue] = []
    while hasMore() {
      guard let element = value() else { return nil }
      elements.append(element)
    }
    return fault == nil ? elements : nil
  }

  private mutating func members() -> [BusValue.Member]? {
    var members: [BusValue.Member] = []
    while hasMore() {
      guard let member = entry() else { return nil }
      members.append(member)
    }
    return fault == nil ? members : nil
  }

  private mutating func entry() -> BusValue.Member? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard check(sd_bus_message_peek_type(message, &type, &contents) > 0) else { return nil }
    return container(type, contents) { reader in
      guard let key = reader.value(), let value = reader.value() else { return nil }
      return BusValue.Member(key: key.text, value: value)
    }
  }

  // MARK: Containers

  /// Reads the content of a container, and leaves the position after it in any case.
  private mutating func container<Content>(
    _ type: CChar, _ contents: UnsafePointer<CChar>?, _ read: (inout BusReader) -> Content?
  ) -> Content? {
    if depth >= limits.depth { return refuse(.tooDeep(limits.depth)) }
    guard check(sd_bus_message_enter_container(message, type, contents) > 0) else { return nil }
    depth += 1
    let content = read(&self)
    depth -= 1
    passRest()
    return check(sd_bus_message_exit_container(message) >= 0) ? content : nil
  }

  /// Checks for more elements in the current container.
  private mutating func hasMore() -> Bool {
    let isAtEnd = sd_bus_message_at_end(message, 0)
    return check(isAtEnd >= 0) && isAtEnd == 0
  }

  /// Skips to the end of the current container after a fault in it.
  private mutating func passRest() {
    if fault == nil { return }
    while fault != .malformed, sd_bus_message_at_end(message, 0) == 0 { pass() }
  }

  /// Skips the next value.
  mutating func pass() { _ = check(sd_bus_message_skip(message, nil) >= 0) }

  // MARK: Faults

  private mutating func check(_ isWell: Bool) -> Bool {
    if !isWell { fault = .malformed }
    return isWell
  }

  private mutating func spend(_ bytes: Int) -> Bool {
    rest -= bytes
    if rest < 0 && fault == nil { fault = .tooLarge(limits.bytes) }
    return rest >= 0
  }

  /// Skips a value and records the reason; the first one counts.
  private mutating func refuse<Value>(_ reason: BusValueError) -> Value? {
    if fault == nil { fault = reason }
    pass()
    return nil
  }

  // MARK: Properties

  /// Reads selected entries from a dictionary of names and variants.
  ///
  /// - Parameters:
  ///   - names: The entries to read.
  ///   - body: Called with the index of a name, and its value.
  mutating func properties(_ names: [String], _ body: (Int, Result<BusValue, BusValueError>) -> Void) {
    let contents = "{sv}"
    guard check(sd_bus_message_enter_container(message, CChar(UInt8(ascii: "a")), contents) > 0) else { return }
    while hasMore() {
      guard check(sd_bus_message_enter_container(message, CChar(UInt8(ascii: "e")), "sv") > 0) else { return }
      var name: UnsafePointer<CChar>?
      guard check(sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &name) > 0), let name else { return }
      if let index = names.firstIndex(where: { strcmp($0, name) == 0 }) {
        begin()
        if let value = value() { body(index, .success(value)) } else if let fault { body(index, .failure(fault)) }
      } else {
        pass()
      }
      guard fault != .malformed, check(sd_bus_message_exit_container(message) >= 0) else { return }
    }
    begin()
    _ = check(sd_bus_message_exit_container(message) >= 0)
  }
}

extension BusValue {
  /// The dictionary key as text.
  fileprivate var text: String {
    switch self {
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .double(let number): number.description
    case .string(let text): text
    case .bytes, .list, .dictionary, .variant: ""
    }
  }
}
