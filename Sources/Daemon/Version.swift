import WireProtocol

/// The version of the program, as `hello` says it.
package let version = programVersion

/// The version and the commit, as `--version` says them.
package let versionText = programVersionText
