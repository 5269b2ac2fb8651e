/// A target of chains.
public protocol Receivable<ReceivedValue>: AnyObject {
  /// The type of the values that it takes.
  associatedtype ReceivedValue

  /// Takes a value.
  func receive(value: ReceivedValue)
}

extension Chain {
  /// Sends each value to `receiver`, which the chain does not retain.
  public func sendTo<Receiver: Receivable>(_ receiver: Receiver) -> Chain<Value>
  where Receiver.ReceivedValue == Value {
    self.do { [weak receiver] in receiver?.receive(value: $0) }
  }

  /// Sends each value to `receiver`, which takes optional values and is not retained.
  public func sendTo<Receiver: Receivable>(_ receiver: Receiver) -> Chain<Value>
  where Receiver.ReceivedValue == Value? {
    self.do { [weak receiver] in receiver?.receive(value: $0) }
  }

  /// Sends each value that is not nil to `receiver`, which takes plain values and is not retained.
  public func sendTo<Receiver: Receivable>(_ receiver: Receiver) -> Chain<Value>
  where Value == Receiver.ReceivedValue? {
    self.do { [weak receiver] value in
      if let value { receiver?.receive(value: value) }
    }
  }
}
