// Lines over a Unix socket, and the pauses between attempts.

import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";

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
  async pause(signal) {
    const pause = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(Math.max(this.#next * 2, 1), this.#longest);
    await setTimeout(pause, undefined, { signal }).catch(() => {});
  }
}

/** One connection; it is read as far as lines are asked for. */
export class Connection {
  #socket;

  constructor(socket) {
    this.#socket = socket;
  }

  /** Connects; aborting the signal closes the connection, too. */
  static async open(path, signal) {
    const socket = connect({ path, signal }).setEncoding("utf8");
    // The end of a connection shows where it is read.
    socket.on("error", () => {});
    await once(socket, "connect");
    return new Connection(socket);
  }

  write(...requests) {
    for (const request of requests) this.#socket.write(JSON.stringify(request) + "\n");
  }

  /** The daemon's lines, until the connection ends; what follows the last end of line is none. */
  async *lines() {
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
      this.#socket.destroy();
    }
  }
}
