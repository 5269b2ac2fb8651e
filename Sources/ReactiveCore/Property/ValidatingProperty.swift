public import Signals

/// A property that accepts a value only if a validator does, and shows the result of the last proposal.
///
/// Setting a value proposes it: if it is valid, or coerced into a valid one, the value changes. A change of the inner
/// property from elsewhere is validated as well, but persists. Proposals are validated one at a time; one made during
/// the delivery of a result is validated directly afterwards.
public final class ValidatingProperty<Value, ValidationError: Error>: MutablePropertyProtocol {
  /// The outcome of the last proposal.
  public let result: Property<Result>

  /// The last valid value at each start, then the changes.
  public let producer: SignalProducer<Value, Never>

  /// The changes of the valid value.
  public let signal: Signal<Value, Never>

  /// The lifetime of the inner property.
  public let lifetime: Lifetime

  private let inner: any MutablePropertyProtocol<Value>
  private let validation: Validation

  /// A property around `inner`, which it retains.
  ///
  /// - Parameters:
  ///   - inner: The property that holds the value.
  ///   - validator: The decision on a proposed value.
  public init<Inner: ComposableMutablePropertyProtocol>(
    _ inner: Inner, _ validator: @escaping (Value) -> Decision
  ) where Inner.Value == Value {
    self.inner = inner
    producer = inner.producer
    signal = inner.signal
    lifetime = inner.lifetime
    validation = Validation(inner.value, validator)
    result = Property(capturing: validation.result)
    inner.lifetime += inner.signal.observeValues { [validation] in validation.valueHasChanged($0) }
  }

  /// A property with this value.
  ///
  /// - Parameters:
  ///   - initial: The first value.
  ///   - validator: The decision on a proposed value.
  public convenience init(_ initial: Value, _ validator: @escaping (Value) -> Decision) {
    self.init(MutableProperty(initial), validator)
  }

  /// A property around `inner` that validates against the value of another property, and again when that changes.
  ///
  /// - Parameters:
  ///   - inner: The property that holds the value.
  ///   - other: The property to validate against; it is not retained.
  ///   - validator: The decision on a proposed value, given the value of the other.
  public convenience init<Other: PropertyProtocol>(
    _ inner: MutableProperty<Value>, with other: Other, _ validator: @escaping (Value, Other.Value) -> Decision
  ) {
    // A view, so that the other property is not retained.
    let other = Property(other)
    self.init(inner) { validator($0, other.value) }
    lifetime += other.signal.observeValues { [weak self] _ in self?.proposeAgain() }
  }

  /// A property with this value that validates against the value of another property, and again when that changes.
  ///
  /// - Parameters:
  ///   - initial: The first value, which is not validated.
  ///   - other: The property to validate against; it is not retained.
  ///   - validator: The decision on a proposed value, given the value of the other.
  public convenience init<Other: PropertyProtocol>(
    _ initial: Value, with other: Other, _ validator: @escaping (Value, Other.Value) -> Decision
  ) {
    self.init(MutableProperty(initial), with: other, validator)
  }

  /// A property around `inner` that validates against the value last proposed to another, and again when that changes.
  ///
  /// - Parameters:
  ///   - inner: The property that holds the value.
  ///   - other: The property to validate against; it is not retained.
  ///   - validator: The decision on a proposed value, given the value of the other.
  public convenience init<U, E>(
    _ inner: MutableProperty<Value>, with other: ValidatingProperty<U, E>,
    _ validator: @escaping (Value, U) -> Decision
  ) {
    self.init(inner, with: other.result) { validator($0, $1.proposed) }
  }

  /// A property with this value that validates against the value last proposed to another, and again when that changes.
  ///
  /// - Parameters:
  ///   - initial: The first value, which is not validated.
  ///   - other: The property to validate against; it is not retained.
  ///   - validator: The decision on a proposed value, given the value of the other.
  public convenience init<U, E>(
    _ initial: Value, with other: ValidatingProperty<U, E>, _ validator: @escaping (Value, U) -> Decision
  ) {
    self.init(MutableProperty(initial), with: other, validator)
  }

  /// The last valid value; setting it proposes a value.
  public var value: Value {
    get { inner.value }
    set { validation.propose({ newValue }) { [inner] in inner.value = $0 } }
  }

  private func proposeAgain() {
    validation.propose({ self.validation.result.value.proposed }) { [inner] in inner.value = $0 }
  }

  /// A validator's answer to a value.
  public enum Decision {
    /// Accept it.
    case valid
    /// Accept another in its place, for this reason.
    case coerced(Value, ValidationError?)
    /// Refuse it.
    case invalid(ValidationError)
  }

  /// The outcome of a proposal.
  public enum Result {
    /// The accepted value.
    case valid(Value)
    /// The value accepted in place of the proposed one.
    case coerced(replacement: Value, proposed: Value, error: ValidationError?)
    /// The refused value.
    case invalid(Value, ValidationError)

    /// True if it was refused.
    public var isInvalid: Bool {
      if case .invalid = self { true } else { false }
    }

    /// The accepted value; nil if it was refused.
    public var value: Value? {
      switch self {
      case .valid(let value), .coerced(let value, _, _): value
      case .invalid: nil
      }
    }

    /// The reason for a refusal or a coercion.
    public var error: ValidationError? {
      if case .invalid(_, let error) = self { error } else { nil }
    }

    /// The value that was proposed.
    var proposed: Value {
      switch self {
      case .valid(let value), .coerced(_, let value, _), .invalid(let value, _): value
      }
    }

    init(_ value: Value, _ decision: Decision) {
      self =
        switch decision {
        case .valid: .valid(value)
        case .coerced(let replacement, let error): .coerced(replacement: replacement, proposed: value, error: error)
        case .invalid(let error): .invalid(value, error)
        }
    }
  }

  /// The validator and its last result; it works within a domain of its own.
  private final class Validation: @unchecked Sendable {
    let result: MutableProperty<Result>
    private let validator: (Value) -> Decision
    private let domain = Domain()
    private var isWritingBack = false

    init(_ initial: Value, _ validator: @escaping (Value) -> Decision) {
      self.validator = validator
      result = MutableProperty(Result(initial, validator(initial)))
    }

    /// Validates a value, and writes it to the inner property if it is accepted.
    func propose(_ value: @escaping () -> Value, _ write: @escaping (Value) -> Void) {
      domain.perform {
        let proposal = value()
        let outcome = Result(proposal, self.validator(proposal))
        self.result.value = outcome
        guard let taken = outcome.value else { return }
        self.isWritingBack = true
        write(taken)
        self.isWritingBack = false
      }
    }

    /// Validates a change of the inner property, unless this thread is writing it.
    func valueHasChanged(_ value: Value) {
      if domain.isHeldByCaller, isWritingBack { return }
      domain.perform { self.result.value = Result(value, self.validator(value)) }
    }
  }
}

/// A property may be used from any thread; see `Signal` about values.
extension ValidatingProperty: @unchecked Sendable where Value: Sendable {}
