/// The descriptors that this process was started with: a listening socket, and a handover from the old process.
package final class Inheritance {
  private var listener: OwnedDescriptor?
  private var carrier: OwnedDescriptor?
  /// True if the handover comes from the store of the service manager.
  package let isStored: Bool
  /// True if other descriptors were passed, which is an error in a unit.
  package let hasUnexpectedDescriptors: Bool

  /// Takes ownership of the descriptors; to be called once.
  ///
  /// - Parameters:
  ///   - name: The name of a handover in the service manager's store.
  ///   - variable: The environment variable with the descriptor of a handover, for a program that has replaced another.
  package init(name: String, variable: String) {
    var sockets: [Int32] = []
    var carriers: [Int32] = []
    for descriptor in (try? ServiceManager.takeDescriptors()) ?? [] {
      if descriptor.name == name { carriers.append(descriptor.number) } else { sockets.append(descriptor.number) }
    }
    isStored = !carriers.isEmpty
    if let number = CurrentProcess.environment(variable).flatMap(Int32.init) { carriers.append(number) }
    carrier = carriers.last.map { OwnedDescriptor(owning: $0) }
    // A descriptor left open for this program must not leak into the programs that it starts.
    for number in carriers { CurrentProcess.closeInPrograms(number) }
    for stale in carriers.dropLast() { _ = OwnedDescriptor(owning: stale) }
    hasUnexpectedDescriptors = sockets.count > 1 || sockets.contains { !ServiceManager.isListeningUnixSocket($0) }
    listener = sockets.first.map { OwnedDescriptor(owning: $0) }
  }

  /// Returns the listening socket of the service manager, once.
  package func takeListener() -> OwnedDescriptor? { listener.take() }

  /// Returns the handover of the old process, once.
  package func takeCarrier() -> DescriptorCarrier? {
    guard let carrier = carrier.take() else { return nil }
    return DescriptorCarrier(carrier)
  }
}
