internal import Glibc
internal import Linux

/// A descriptor that the daemon gives to the bridge as its child, by a variable of the environment.
enum ParentDescriptor {
  /// Returns the descriptor that a variable names, which no other program gets; `nil` if the variable is not set.
  static func take(_ variable: String) throws(StartFailure) -> Int32? {
    guard let text = CurrentProcess.environment(variable) else { return nil }
    guard let number = Int32(text), number > 2 else {
      throw StartFailure("\(variable)=\(text) is not a descriptor", status: EX_USAGE)
    }
    CurrentProcess.setEnvironment(variable, nil)
    CurrentProcess.closeInPrograms(number)
    return number
  }
}
