import WireProtocol

/// The version of the program in `hello`.
package let version = programVersion

/// The version and the commit in the output of `--version`.
package let versionText = programVersionText
