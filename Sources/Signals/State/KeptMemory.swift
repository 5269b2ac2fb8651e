import CThread

/// The memory of an operator, which can be encoded and restored.
package protocol KeptMemory: AnyObject, StateRestorable {
  func restore(from reader: inout StateDecoder) throws(StateError)

  /// The remembered value itself, for inspection; `nil` if it is a part of the graph.
  var remembered: Any? { get }
}

extension KeptMemory {
  package var remembered: Any? { nil }
}

/// The registry of the memories of the operators that are built in its presence.
package protocol MemoryKeeper: AnyObject {
  /// Registers a memory, and restores it if an encoded one exists.
  func enrol(_ memory: any KeptMemory)
}

extension MemoryKeeper {
  /// Builds operators whose memories it registers, on this thread.
  package func keeping<Result>(_ build: () -> Result) -> Result {
    let before = signalbox_present_keeper()
    let present = PresentKeeper(self)
    signalbox_set_keeper(Unmanaged.passUnretained(present).toOpaque())
    defer { signalbox_set_keeper(before) }
    return withExtendedLifetime(present, build)
  }
}

/// The present keeper.
@usableFromInline final class PresentKeeper {
  let keeper: any MemoryKeeper

  init(_ keeper: any MemoryKeeper) { self.keeper = keeper }

  /// Registers a memory with the present keeper, if any.
  @usableFromInline static func enrol(_ memory: AnyObject) {
    guard let present = signalbox_present_keeper(), let memory = memory as? any KeptMemory else { return }
    Unmanaged<PresentKeeper>.fromOpaque(present).takeUnretainedValue().keeper.enrol(memory)
  }
}

extension KeptMemory {
  /// Registers this with the present keeper.
  package func keep() { PresentKeeper.enrol(self) }

  /// Encodes a value whose type is unknown to a generic operator.
  func store<Memory>(_ memory: Memory, in writer: inout StateEncoder) {
    guard let storable = memory as? any StateCodable else {
      preconditionFailure("\(Memory.self) cannot be encoded, but is the memory of a durable operator")
    }
    storable.encode(to: &writer)
  }

  func restored<Memory>(_ type: Memory.Type, from reader: inout StateDecoder) throws(StateError) -> Memory {
    guard let storable = Memory.self as? any StateCodable.Type, let memory = try storable.init(from: &reader) as? Memory
    else { throw StateError("\(Memory.self) cannot be encoded") }
    return memory
  }
}
