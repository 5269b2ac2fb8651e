import GraphModel

extension ActionTask {
  /// Returns the work of one call.
  ///
  /// - Parameter action: The full name of the action.
  func work(of action: String) -> any CallWork {
    switch self {
    case .program(let program): ProgramWork(program, of: action)
    case .method(let method): MethodWork(method, of: action)
    case .request(let request): RequestWork(request, of: action)
    case .adapter(let request): RequestWork(request, of: action)
    }
  }
}
