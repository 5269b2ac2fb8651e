/// The way the bundled adapter is started.
package enum BridgeProgram: String, Sendable, CaseIterable {
  /// The daemon starts `signalbox-bridge` itself.
  case child
  /// An adapter attaches by itself, such as `signalbox-bridge.service`.
  case service
}
