/// Operators.
extension Compiler {
  func binary(_ operation: Operator, _ left: any Node, _ right: any Node) -> any Node {
    switch operation {
    case .add: BinaryNode<Addition>(left, right)
    case .subtract: BinaryNode<Subtraction>(left, right)
    case .multiply: BinaryNode<Multiplication>(left, right)
    case .divide: BinaryNode<Division>(left, right)
    case .modulo: BinaryNode<Remainder>(left, right)
    case .equal: BinaryNode<Equality>(left, right)
    case .notEqual: BinaryNode<Inequality>(left, right)
    case .less: BinaryNode<Less>(left, right)
    case .lessOrEqual: BinaryNode<LessOrEqual>(left, right)
    case .greater: BinaryNode<Greater>(left, right)
    case .greaterOrEqual: BinaryNode<GreaterOrEqual>(left, right)
    case .and: LogicNode(left, right, decisive: false)
    case .or: LogicNode(left, right, decisive: true)
    case .alternative: AlternativeNode(left, right)
    case .assign: UpdateNode<Assignment>(left, right)
    case .modify: ModifyNode(left, right)
    case .addUpdate: UpdateNode<Addition>(left, right)
    case .subtractUpdate: UpdateNode<Subtraction>(left, right)
    case .multiplyUpdate: UpdateNode<Multiplication>(left, right)
    case .divideUpdate: UpdateNode<Division>(left, right)
    case .moduloUpdate: UpdateNode<Remainder>(left, right)
    case .alternativeUpdate: UpdateNode<Preference>(left, right)
    }
  }
}
