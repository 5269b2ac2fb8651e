public import CThread

/// The state of an operator with a memory, and its downstream.
///
/// The memory is accessed only while the domain is held, so its exclusivity is proven; the run-time check would cost 2
/// to 4 ns an access, and cannot be disabled for a captured local variable.
@usableFromInline final class Link<Memory, Downstream: Receiver> {
  @exclusivity(unchecked) @usableFromInline var memory: Memory
  @usableFromInline let downstream: Downstream

  @inlinable init(_ memory: Memory, _ downstream: Downstream) {
    self.memory = memory
    self.downstream = downstream
    if signalbox_present_keeper() != nil { PresentKeeper.enrol(self) }
  }
}

extension Link: KeptMemory {
  var remembered: Any? { memory }

  func encode(to writer: inout StateEncoder) { store(memory, in: &writer) }

  func restore(from reader: inout StateDecoder) throws(StateError) {
    memory = try restored(Memory.self, from: &reader)
  }
}
