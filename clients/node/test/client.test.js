import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Client, ConnectionLost, ErrorCode, EventKind } from "../signalbox.js";

/** A client of a daemon whose connections are handled by one function after the other. */
async function serve(context, ...handlers) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-"));
  const path = join(folder, "s");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const ask = async () => JSON.parse((await lines.next()).value ?? "{}");
    const say = (line) => socket.write(JSON.stringify(line) + "\n");
    handlers.shift()({ ask, say, waiting: () => socket.writableLength, end: () => socket.destroy() });
  });
  await new Promise((resolve) => server.listen(path, resolve));
  const client = new Client({ path, backoff: [1, 5] });
  context.after(() => {
    client.close();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return client;
}

const begin = async ({ ask, say }, seq = 0) => {
  await ask();
  const request = await ask();
  say({ reply: "hello", id: 0, epoch: "e" });
  say({ reply: "subscribe", id: 1, signals: [{ signal: "g.s", seq }], epoch: "e" });
  return request;
};
const value = (seq) => ({ event: "next", signal: "g.s", seq, value: seq });
const lose = async ({ ask, end }) => {
  await ask();
  end();
};
const answerSend = async ({ ask, say }) => say({ reply: "send", id: (await ask()).id, seq: 7, duplicate: true });

test("a message with an id is sent again", async (context) => {
  const client = await serve(context, lose, answerSend);
  assert.deepEqual(await client.send("g.s", 1, { messageID: "m" }), { seq: 7, duplicate: true });
});

test("a daemon that ends has not answered it", async (context) => {
  const shutDown = async ({ ask, say, end }) => {
    say({ reply: "error", id: (await ask()).id, op: "send", error: { code: "shutting_down", message: "" } });
    setTimeout(end, 1);
  };
  const client = await serve(context, shutDown, answerSend);
  assert.equal((await client.send("g.s", 1, { messageID: "m" })).seq, 7);
});

test("a subscription to a name is over with its signal", async (context) => {
  const client = await serve(context, async (connection) => {
    await begin(connection);
    connection.say({ event: "completed", signal: "g.s" });
  });
  const kinds = [];
  for await (const { kind } of await client.subscribe("g.s")) kinds.push(kind);
  assert.deepEqual(kinds, ["completed"]);
});

test("one without is not", async (context) => {
  const client = await serve(context, lose);
  await assert.rejects(client.send("g.s", 1), ConnectionLost);
});

test("a refusal has its code", async (context) => {
  const client = await serve(context, async ({ ask, say }) =>
    say({ reply: "error", id: (await ask()).id, error: { code: "no_value", message: "none" } }));
  await assert.rejects(client.get("g.s"), { code: ErrorCode.NoValue });
});

test("a subscription goes on behind the last value, and tells what is lost", async (context) => {
  const requests = [];
  const client = await serve(
    context,
    async (connection) => {
      requests.push(await begin(connection));
      connection.say(value(1));
      await connection.ask();
      connection.end();
    },
    async ({ ask, say }) => {
      await ask();
      requests.push(await ask());
      say({ reply: "hello", id: 0, epoch: "e" });
      say({ reply: "error", id: 1, op: "subscribe", error: { code: "expired", message: "", oldest: 4 } });
      requests.push(await ask());
      say({ reply: "subscribe", id: 1, signals: [{ signal: "g.s", seq: 4 }], epoch: "e" });
      say(value(4));
    },
  );
  const events = [];
  for await (const event of await client.subscribe("g.s", { take: 2 })) events.push(event);
  assert.deepEqual(events.map(({ kind }) => kind), ["next", "expired", "next", "ended"]);
  assert.deepEqual([events[1].last, events[1].oldest], [1, 4]);
  assert.deepEqual(requests.map(({ from, take }) => [from, take]), [[undefined, 2], [1, 1], [undefined, 1]]);
});

test("an iteration that waits ends when it is cancelled", async (context) => {
  const client = await serve(context, (connection) => begin(connection));
  const subscription = await client.subscribe("g.s");
  setTimeout(() => subscription.cancel(), 5);
  assert.deepEqual(await subscription.next(), { done: true, value: undefined });
});

test("a call that is aborted ends", async (context) => {
  const client = await serve(context, async ({ ask, say }) => {
    await ask();
    say({ event: "next", call: 1, value: "begun" });
  });
  const abort = new AbortController();
  const outputs = [];
  for await (const output of client.call("g.long", 1, { signal: abort.signal })) {
    outputs.push(output);
    abort.abort();
  }
  assert.deepEqual(outputs, ["begun"]);
});

test("a call whose client is closed has not been carried out to its end", async (context) => {
  const client = await serve(context, async ({ ask, say }) => {
    await ask();
    say({ event: "next", call: 1, value: "begun" });
  });
  const call = client.call("g.long");
  assert.deepEqual(await call.next(), { done: false, value: "begun" });
  client.close();
  await assert.rejects(call.next(), ConnectionLost);
  await assert.rejects(client.call("g.long").next(), ConnectionLost);
});

test("while nobody takes events the connection is not read", async (context) => {
  let blocked;
  const isBlocked = new Promise((resolve) => (blocked = resolve));
  const client = await serve(context, async (connection) => {
    await begin(connection);
    // Who reads takes more than this in each turn of the loop.
    for (let seq = 1; seq <= 1000 && connection.waiting() < 1e6; seq++) {
      connection.say({ ...value(seq), value: "x".repeat(10_000) });
      await new Promise(setImmediate);
    }
    blocked(connection.waiting() >= 1e6);
  });
  const subscription = await client.subscribe("g.s");
  assert.equal(await isBlocked, true);
  assert.equal((await subscription.next()).value.kind, EventKind.Next);
});
