/// The version of the programs, daemon and client.
package let programVersion = "0.1.0"
