import WireProtocol

/// The version of the program, as `hello` and `--version` say it.
package let version = programVersion
