package import Linux

/// The descriptors that this process was started with: a listening socket, and the work of the process before.
package final class Inheritance {
  private var listener: OwnedDescriptor?
  private var carrier: OwnedDescriptor?
  /// Whether the work comes from the store of the service manager.
  package let isStored: Bool
  /// Something else that was passed, which is a mistake in a unit.
  let hasStrangers: Bool

  /// Takes them over, to be done once.
  ///
  /// - Parameters:
  ///   - name: The name under which the service manager keeps the work of the process before.
  ///   - variable: The variable that names it where this program has taken the place of another one.
  package init(name: String, variable: String) {
    var sockets: [Int32] = []
    var carriers: [Int32] = []
    for descriptor in (try? ServiceManager.takeDescriptors()) ?? [] {
      if descriptor.name == name { carriers.append(descriptor.number) } else { sockets.append(descriptor.number) }
    }
    isStored = !carriers.isEmpty
    if let number = CurrentProcess.environment(variable).flatMap(Int32.init) { carriers.append(number) }
    carrier = carriers.last.map { OwnedDescriptor(owning: $0) }
    // One that a program has left open for the next is not for those that are started later.
    for number in carriers { CurrentProcess.closeInPrograms(number) }
    for stale in carriers.dropLast() { _ = OwnedDescriptor(owning: stale) }
    hasStrangers = sockets.count > 1 || sockets.contains { !ServiceManager.isListeningUnixSocket($0) }
    listener = sockets.first.map { OwnedDescriptor(owning: $0) }
  }

  /// The listening socket of the service manager, to be asked for once.
  func takeListener() -> OwnedDescriptor? { listener.take() }

  /// The work of the process before, to be asked for once.
  package func takeCarrier() -> DescriptorCarrier? {
    guard let carrier = carrier.take() else { return nil }
    return DescriptorCarrier(carrier)
  }
}
