package import GraphModel
import Signals

/// A signal by name, which clients send to, subscribe to and get.
///
/// It survives reloads: the body behind a name may be replaced, while the sequence number continues and subscribers
/// stay.
package final class RunningSignal {
  package private(set) var declaration: SignalDeclaration
  let engine: GraphEngine
  /// The tally of its graph in the present turn.
  let tally: TurnTally
  /// The position among all signals, each after everything that it is computed from.
  var order: UInt32 = 0
  /// The position in the file.
  package internal(set) var position: UInt32 = 0
  /// The entry for values from outside, for an input or a property.
  package var inlet: Inlet?

  /// The number of the last value; 0 before the first.
  package internal(set) var sequence: UInt64 = 0
  /// The time of the last value, in microseconds since 1970.
  package internal(set) var lastTime: Int64?
  /// The record of its end, if it has ended.
  package internal(set) var end: SignalEnd?
  /// The memory of its values, if it needs one.
  var memory: SignalMemory?
  package internal(set) var losses = Losses()

  /// Called for each event once it has been counted and retained: the way from the graph to the daemon's `Channel`.
  package var observer: ((SignalEvent) -> Void)?
  /// The series of its metric, if it has one.
  package var metric: MetricSeries?
  /// The key of `group_by` whose pipe emits just now.
  package var emittingKey: EmittingKey?
  /// Called before it discards the values that it keeps for new subscribers.
  package var willDiscard: (() -> Void)?
  /// True if its events are sent to mirrors in other runtimes, after the observer.
  package var isReflected = false
  /// True if it only reflects a signal of another runtime.
  package private(set) var isMirror = false
  /// True if it has adopted values that its dependents have not received.
  var hasUndelivered = false

  var body: RunningBody?
  var observation: (any Disposable)?
  /// The last operator of its body, if the signal applies it itself.
  var lastStep: Step?
  /// The connection to its dependents, made with the first one.
  var outlet: Outlet?
  var endedInputs = EndedInputs()
  /// The saved state of its body, until that is built.
  var keptBody: KeptState?
  /// True if its body discards its saved state; a test shows with it that the state matters.
  var isForgetful = false
  var listeners = Listeners()
  /// True if it runs and emits sent values unchanged.
  var isOpen = false

  /// - Parameter sequence: The number of the last value that a signal of this name had.
  init(_ declaration: SignalDeclaration, sequence: UInt64, engine: GraphEngine) {
    self.declaration = declaration
    self.sequence = sequence
    self.engine = engine
    tally = engine.tally(ofGraphOf: declaration.name)
    isMirror = engine.mirrors.contains(declaration)
    discard()
    renewNetworkMemory()
  }

  package var name: String { declaration.name }
  package var isPrivate: Bool { declaration.traits.isPrivate }
  /// Its name for clients.
  var publicName: String {
    isPrivate ? declaration.isCondition ? "an action's enabled_if" : "a private signal" : name
  }
  package var ending: SignalEnding? { end?.ending }
  package var kind: SignalKind { declaration.kind }
  package var acceptsValues: Bool { declaration.body.source.takesValues }
  /// True if a service outside makes its values from those that are sent to it.
  package var hasVoiceOutside: Bool { inlet?.hasOwnValueObserver ?? false }
  package var isHeld: Bool { !retained.isEmpty }
  /// True if it runs separately for each subscriber: see `GraphRuntime.startRun`.
  package var isCold: Bool { declaration.traits.run == .cold }
  /// True if it runs only while it has subscribers: see `GraphRuntime.attach`.
  package var isLazy: Bool { declaration.traits.run == .lazy }

  /// The values for a new subscriber, oldest first.
  package var retained: Retention {
    guard let memory else { return .none }
    memory.retention.expire(at: engine.clock.now)
    return memory.retention
  }

  /// True if the newest value is kept until the next one, or until `willDiscard`.
  package var keepsNewest: Bool { memory?.retention.keepsNewest ?? false }

  /// Adopts what applies without a restart: documentation and visibility.
  func apply(_ declaration: SignalDeclaration) {
    let isAnotherSource = declaration.followedSource != self.declaration.followedSource
    self.declaration = declaration
    if isAnotherSource { renewNetworkMemory() }
    let wasMirror = isMirror
    isMirror = engine.mirrors.contains(declaration)
    if isMirror, !wasMirror { listeners.hasObservedMirror = false }
  }

  /// Retains at least this many values for new subscribers.
  func retain(atLeast count: Int) {
    let memory = remembering()
    if memory.retention.capacity < count { memory.retention = Retention(capacity: count) }
  }

  /// Keeps the newest value for new subscribers from now on, as does its mirror.
  package func holdNewest() {
    if let memory, memory.retention.capacity > 0 { return }
    retain(atLeast: 1)
    if declaration.isDurable, !isMirror { engine.onHolding(self) }
  }

  /// Discards all values.
  func discard() {
    willDiscard?()
    let policy = declaration.traits.retention
    let isRecorded = memory?.isRecorded ?? false
    memory = policy.count > 0 || isRecorded ? SignalMemory(policy, isRecorded: isRecorded) : nil
    // Other signals do this when their source is built.
    if isMirror, declaration.body.source.isHeld { retain(atLeast: 1) }
  }

  func remembering() -> SignalMemory {
    let memory = memory ?? SignalMemory(declaration.traits.retention, isRecorded: false)
    self.memory = memory
    return memory
  }
}
