/// Tells whether a signal has ended, and keeps nobody from letting it go.
package protocol EndingProbe: AnyObject {
  var hasEnded: Bool { get }
}

extension Node: EndingProbe {}

extension Signal {
  /// A probe that tells whether it has ended.
  package var endingProbe: any EndingProbe { node }
}
