/// Tells whether a signal has ended, and keeps nobody from letting it go.
package protocol EndingProbe: AnyObject {
  var hasEnded: Bool { get }
}

extension Node: EndingProbe {}

extension Signal {
  /// Tells whether it has ended.
  package var endingProbe: any EndingProbe { node }
}
