// Lines over a Unix socket, and the pauses between attempts.

import { connect } from "node:net";

/** Pauses that double from the first to the longest, each less a random part of up to one half. Milliseconds. */
export class Backoff {
  #first;
  #longest;
  #next;

  constructor([first, longest]) {
    this.#first = this.#next = first;
    this.#longest = longest;
  }

  reset() {
    this.#next = this.#first;
  }

  /** Waits for another attempt, or until a signal is aborted. */
  pause(signal) {
    const pause = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(Math.max(this.#next * 2, 1), this.#longest);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, pause);
      signal.addEventListener("abort", done);
    });
  }
}

/** One connection; it is read as far as lines are asked for. */
export class Connection {
  #socket;

  constructor(socket) {
    this.#socket = socket;
  }

  /** Connects; aborting the signal closes the connection, too. */
  static open(path, signal) {
    return new Promise((resolve, reject) => {
      const socket = connect({ path, signal });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        // The end of a connection shows where it is read.
        socket.on("error", () => {});
        resolve(new Connection(socket));
      });
    });
  }

  write(fields) {
    this.#socket.write(JSON.stringify(fields) + "\n");
  }

  /** The daemon's lines, until the connection ends; what follows the last end of line is none. */
  async *lines() {
    this.#socket.setEncoding("utf8");
    let rest = [];
    try {
      for await (const chunk of this.#socket) {
        const lines = chunk.split("\n");
        if (lines.length > 1) {
          lines[0] = rest.join("") + lines[0];
          rest = [];
        }
        rest.push(lines.pop());
        for (const line of lines) yield JSON.parse(line);
      }
    } finally {
      this.close();
    }
  }

  close() {
    this.#socket.destroy();
  }
}
