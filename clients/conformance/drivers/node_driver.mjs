// The driver of the Node library; README.md describes its language.
import { createInterface } from "node:readline";
import { writeSync } from "node:fs";
import { Client, SignalboxError } from "../../node/signalbox.js";

const things = new Map();
const gates = new Map();
let client = null;

function tell(line) {
  let rest = Buffer.from(JSON.stringify(line) + "\n");
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function openGate() {
  const gate = { wait: Promise.resolve(), open: () => {} };
  gate.close = () => (gate.wait = new Promise((resolve) => (gate.open = resolve)));
  return gate;
}

const work = {
  async subscribe(as, { signal, ...options }) {
    const subscription = await client.subscribe(signal, options);
    const gate = openGate();
    things.set(as, subscription);
    gates.set(as, gate);
    tell({ did: "subscribe", as });
    for (;;) {
      await gate.wait;
      const { done, value: event } = await subscription.next();
      if (done || things.get(as) !== subscription) return;
      const { kind, last, ...rest } = event;
      if (kind === "next") delete rest.epoch;
      tell({ as, event: kind, ...rest, ...(last === undefined ? {} : { from: last }) });
    }
  },
  async send(as, { signal, value, values, event, error, message_id: messageID }) {
    let sent;
    if (values !== undefined) sent = await client.sendValues(signal, values, { messageID });
    else if (event !== undefined) sent = await client.end(signal, event, { error, messageID });
    else sent = await client.send(signal, value, { messageID });
    tell({ did: "send", as, seq: sent.seq });
  },
  async get(as, { signal }) {
    tell({ did: "get", as, ...(await client.get(signal)) });
  },
  async list(as, { pattern }) {
    tell({ did: "list", as, signals: (await client.list(pattern)).map(({ signal }) => signal) });
  },
  async describe(as, { signal }) {
    tell({ did: "describe", as, kind: (await client.describe(signal)).kind });
  },
  async ping(as) {
    await client.ping();
    tell({ did: "ping", as });
  },
  async hello(as) {
    const { server, protocol } = await client.hello();
    tell({ did: "hello", as, server, protocol });
  },
  async call(as, { action, value }) {
    const abort = new AbortController();
    things.set(as, { cancel: () => abort.abort() });
    for await (const output of client.call(action, value, { signal: abort.signal })) {
      tell({ as, event: "next", value: output });
    }
    if (!abort.signal.aborted) tell({ did: "call", as });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, as, ...fields } = JSON.parse(line);
  if (what === "connect" || what === "close") {
    client?.close();
    things.clear();
    client = what === "connect" ? new Client({ path: fields.socket, backoff: fields.backoff }) : null;
    tell({ did: what });
  } else if (what === "cancel") {
    things.get(as).cancel();
    things.delete(as);
    tell({ did: what, as });
  } else if (what === "pause" || what === "resume") {
    if (what === "pause") gates.get(as).close();
    else gates.get(as).open();
    tell({ did: what, as });
  } else {
    const mine = client;
    work[what](as, fields).catch((error) => {
      if (!(error instanceof SignalboxError)) throw error;
      if (mine === client) tell({ failed: what, as, code: error.code });
    });
  }
}
process.exit(0);
