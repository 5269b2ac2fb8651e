internal import Glibc
internal import Linux

/// The page for a local user: a free port reachable only from this machine, a token of its own, and a browser to show
/// it.
final class View {
  /// It lasts as long as this program; 128 bits leave the address on one line of a terminal.
  let token = NewToken.random(bytes: 16)
  /// The file that redirects the browser to the address.
  private var file: String?

  deinit { if let file { unlink(file) } }

  func listener() throws(StartFailure) -> GatewayListener { try GatewayListener("127.0.0.1:0") }

  /// Prints the address, and opens it in the desktop's browser if there is one.
  ///
  /// The token is in the fragment, which neither servers nor logs see, and the browser is redirected there by a file
  /// that only this user can read: the arguments of programs are visible to all users.
  func open(_ listener: GatewayListener) {
    let address = "\(listener.address)#token=\(token)"
    _ = OptionProgram.print("\(address)\n")
    guard let opener = try? ProgramFile.path(of: "xdg-open"), let file = redirection(to: address) else { return }
    self.file = file
    // The browser outlives this program, and writes to no terminal.
    let script = "exec setsid -f \"$0\" \"$1\" >/dev/null 2>&1 </dev/null"
    var child = try? ChildProcess(["/bin/sh", "-c", script, opener, file], environment: environment, input: [])
    if child != nil, (try? child?.end.transfer.wait(for: .readable, timeout: .seconds(5))) != nil { child?.kill() }
  }

  private func redirection(to address: String) -> String? {
    let folder = CurrentProcess.environment("XDG_RUNTIME_DIR") ?? "/tmp"
    var path = Array("\(folder)/signalbox-view-XXXXXX.html".utf8CString)
    let number = mkstemps(&path, 5)
    guard number != -1 else { return nil }
    let descriptor = OwnedDescriptor(owning: number)
    let page = "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=\(address)\">\n"
    try? descriptor.transfer.writeAll(page)
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The environment variables that identify the desktop.
  private var environment: [String] {
    let names = [
      "HOME", "PATH", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP",
      "DBUS_SESSION_BUS_ADDRESS", "BROWSER",
    ]
    return names.compactMap { name in CurrentProcess.environment(name).map { "\(name)=\($0)" } }
  }
}
