/// Tells whether a signal says nothing more, and keeps nobody from letting it go.
package protocol EndingProbe: AnyObject {
  /// Whether it has ended, or was let go with nobody observing it.
  var isOver: Bool { get }
}

extension Node: EndingProbe {
  package var isOver: Bool { hasEnded || isAbandoned }
}

extension Signal {
  /// Tells whether it is over.
  package var endingProbe: any EndingProbe { node }
}
