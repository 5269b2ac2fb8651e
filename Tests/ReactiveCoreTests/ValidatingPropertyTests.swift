import ReactiveCore
import Testing

private enum Objection: Error { case odd, negative, tooLarge }

private func name(_ result: ValidatingProperty<Int, Objection>.Result) -> String {
  switch result {
  case .valid(let value): "valid \(value)"
  case .coerced(let value, let proposed, let error): "\(proposed) coerced to \(value), \(error.map { "\($0)" } ?? "-")"
  case .invalid(let value, let error): "invalid \(value), \(error)"
  }
}

private func judge(_ value: Int) -> ValidatingProperty<Int, Objection>.Decision {
  if value < 0 { return .invalid(.negative) }
  return value % 2 == 0 ? .valid : .coerced(value + 1, .odd)
}

@Suite struct ValidatingPropertyTests {
  @Test func `what is valid or coerced is taken, the rest refused`() {
    let property = ValidatingProperty(0, judge)
    var (results, values): ([String], [Int]) = ([], [])
    property.result.producer.startWithValues { results.append(name($0)) }
    property.producer.startWithValues { values.append($0) }
    for value in [2, 3, -1] { property.value = value }
    #expect(results == ["valid 0", "valid 2", "3 coerced to 4, odd", "invalid -1, negative"])
    #expect(values == [0, 2, 4])
    #expect(property.value == 4)
    #expect(property.result.value.isInvalid)
    #expect(property.result.value.error == .negative)
    #expect(property.result.value.value == nil)
  }

  @Test func `a change of the inner property is validated and stays`() {
    let inner = MutableProperty(0)
    let property = ValidatingProperty(inner, judge)
    inner.value = -5
    #expect(property.value == -5)
    #expect(name(property.result.value) == "invalid -5, negative")
  }

  @Test func `a change of the other property validates the last proposal again`() {
    let limit = MutableProperty(10)
    let property = ValidatingProperty<Int, Objection>(0, with: limit) { $0 > $1 ? .invalid(.tooLarge) : .valid }
    property.value = 20
    #expect(property.value == 0)
    limit.value = 30
    #expect(property.value == 20)
    let doubled = ValidatingProperty<Int, Objection>(0, with: property) { $0 == $1 * 2 ? .valid : .invalid(.odd) }
    doubled.value = 50
    #expect(doubled.result.value.isInvalid)
    property.value = 25
    #expect(doubled.value == 50)
  }

  @Test func `a proposal from inside a result's delivery comes afterwards`() {
    let property = ValidatingProperty(0, judge)
    var results: [String] = []
    property.result.signal.observeValues { [unowned property] result in
      if result.isInvalid { property.value = 0 }
      results.append(name(result))
    }
    property.value = -1
    #expect(results == ["invalid -1, negative", "valid 0"])
  }

  @Test func `it can be bound, and releases everything`() {
    weak var inner: MutableProperty<Int>?
    let source = MutableProperty(2)
    do {
      let held = MutableProperty(0)
      inner = held
      let property = ValidatingProperty(held, judge)
      property <~ source
      source.value = 4
      #expect(property.value == 4)
    }
    #expect(inner == nil)
    source.value = 6
  }
}
