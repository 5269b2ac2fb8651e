/// A view of a signal's end that does not retain the signal.
package protocol EndingProbe: AnyObject {
  /// True if it has ended, or was released without observers.
  var isOver: Bool { get }
}

extension Node: EndingProbe {
  package var isOver: Bool { hasEnded || isAbandoned }
}

extension Signal {
  /// The probe of this signal.
  package var endingProbe: any EndingProbe { node }
}
