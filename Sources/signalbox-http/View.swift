import Glibc
import HTTPGateway
import Linux

/// The page for oneself: a free port that only this machine reaches, a token of its own, and a browser that shows it.
final class View {
  let token = NewToken.random()
  /// The file that leads the browser to the address.
  private var file: String?

  deinit { if let file { unlink(file) } }

  func listener() throws(StartFailure) -> GatewayListener { try GatewayListener("127.0.0.1:0") }

  /// Says the address, and has the desktop's browser open it where there is one.
  ///
  /// The token stands behind `#`, where no server and no log sees it, and the browser is led there by a file that only this
  /// user can read: everybody sees the arguments of programs.
  func open(_ listener: GatewayListener) {
    let address = "\(listener.address)#token=\(token)"
    _ = say("\(address)\n")
    guard let opener = try? ProgramFile.path(of: "xdg-open"), let file = redirection(to: address) else { return }
    self.file = file
    // The browser stays when this program ends, and writes to no terminal.
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

  /// The parts of the environment by which a desktop is found.
  private var environment: [String] {
    let names = [
      "HOME", "PATH", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP",
      "DBUS_SESSION_BUS_ADDRESS", "BROWSER",
    ]
    return names.compactMap { name in CurrentProcess.environment(name).map { "\(name)=\($0)" } }
  }
}
