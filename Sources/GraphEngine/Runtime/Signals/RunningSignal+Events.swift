package import GraphModel
package import JSON
import Signals

extension RunningSignal {
  /// Handles a value of its body: checks the limits, then delivers it.
  package func receive(_ payload: Payload) {
    if ending == nil, admits(payload) { deliver(payload) }
  }

  /// Counts, retains and emits a value, whatever the limits.
  func deliver(_ payload: Payload) {
    sequence += 1
    lastTime = engine.clock.microseconds
    memory?.append(payload, sequence: sequence, in: engine)
    observer?(.next(payload, sequence: sequence))
    if let recorder = engine.recorder {
      recorder.emit(.next(payload, sequence: sequence), by: self) { outlet?.send(payload) }
    } else {
      outlet?.send(payload)
    }
    if isReflected { engine.mirrors.onEvent(self, .next(payload, sequence: sequence)) }
  }

  /// True if a sent value needs only to be counted and passed to the observer.
  ///
  /// This holds for an input of any type without operators, dependents and retained values: a sender need not decode
  /// the value, see `relay`.
  package var isRelay: Bool {
    isOpen && !hasDependents && ending == nil && memory == nil && !isReflected
  }

  /// Counts a value that the caller delivers itself, in place of the observer.
  ///
  /// - Returns: The number of the value.
  package func relay() -> UInt64 {
    sequence += 1
    lastTime = engine.clock.microseconds
    return sequence
  }

  /// Continues counting above a number that was given to a value elsewhere.
  package func skipNumbers(to number: UInt64) { sequence = max(sequence, number) }

  /// Ends the signal as its body ended.
  ///
  /// - Parameter cause: The signal that caused the ending, if known elsewhere.
  package func end(_ ending: SignalEnding, because cause: String? = nil) {
    guard end == nil, !engine.isOver else { return }
    end = engine.note(ending, of: self, because: cause)
    stopListening()
    observer?(.ended(ending))
    engine.onEnding(self)
    if let recorder = engine.recorder {
      recorder.emit(.ended(ending), by: self) { outlet?.end(with: ending) }
    } else {
      outlet?.end(with: ending)
    }
    outlet = nil
    if isReflected { engine.mirrors.onEvent(self, .ended(ending)) }
    release()
  }
}
