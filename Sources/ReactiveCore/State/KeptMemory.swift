import CThread

/// The memory of an operator, which can be saved and taken up again.
package protocol KeptMemory: AnyObject {
  func store(in writer: inout StateWriter)

  /// Takes the place of what it remembers.
  func restore(from reader: inout StateReader) throws(StateError)

  /// The thing itself that it remembers, for somebody who looks on; `nil` if that is a part of the graph.
  var remembered: Any? { get }
}

extension KeptMemory {
  package var remembered: Any? { nil }
}

/// Keeps the memories of the operators that are built while it is around.
package protocol MemoryKeeper: AnyObject {
  /// Takes a memory, and restores it where it has been kept before.
  func enrol(_ memory: any KeptMemory)
}

extension MemoryKeeper {
  /// Builds operators whose memories it keeps, on this thread.
  package func keeping<Result>(_ build: () -> Result) -> Result {
    let before = signalbox_present_keeper()
    let present = PresentKeeper(self)
    signalbox_set_keeper(Unmanaged.passUnretained(present).toOpaque())
    defer { signalbox_set_keeper(before) }
    return withExtendedLifetime(present, build)
  }
}

/// The keeper that is present.
@usableFromInline final class PresentKeeper {
  let keeper: any MemoryKeeper

  init(_ keeper: any MemoryKeeper) { self.keeper = keeper }

  /// Tells the keeper that is present, if there is one, of a memory.
  @usableFromInline static func enrol(_ memory: AnyObject) {
    guard let present = signalbox_present_keeper(), let memory = memory as? any KeptMemory else { return }
    Unmanaged<PresentKeeper>.fromOpaque(present).takeUnretainedValue().keeper.enrol(memory)
  }
}

extension KeptMemory {
  /// Has the keeper that is present keep it.
  package func keep() { PresentKeeper.enrol(self) }

  /// Writes down a value of a type that a generic operator knows nothing of.
  func store<Memory>(_ memory: Memory, in writer: inout StateWriter) {
    guard let storable = memory as? any Storable else {
      preconditionFailure("\(Memory.self) is remembered by an operator that is kept, but cannot be stored")
    }
    storable.store(in: &writer)
  }

  func restored<Memory>(_ type: Memory.Type, from reader: inout StateReader) throws(StateError) -> Memory {
    guard let storable = Memory.self as? any Storable.Type, let memory = try storable.init(from: &reader) as? Memory
    else { throw StateError("\(Memory.self) cannot be stored") }
    return memory
  }
}

extension Link: KeptMemory {
  var remembered: Any? { memory }

  func store(in writer: inout StateWriter) { store(memory, in: &writer) }

  func restore(from reader: inout StateReader) throws(StateError) {
    memory = try restored(Memory.self, from: &reader)
  }
}

extension TimedLink: KeptMemory {
  var remembered: Any? { memory }

  func store(in writer: inout StateWriter) {
    store(memory, in: &writer)
    timerRecord.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    memory = try restored(Memory.self, from: &reader)
    try restoreTimer(TimerRecord?(from: &reader))
  }
}
