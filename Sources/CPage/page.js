// The page: it shows what the gateway's /view tells, some times a second, on the picture that the gateway draws.

const $ = (id) => document.getElementById(id);
const tokenKey = "signalbox-token";

function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// ---- The gateway

// A token comes in the address behind #, which no server and no log sees, and is kept for this tab alone.
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem(tokenKey, given);
  history.replaceState(null, "", location.pathname);
}

class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  const token = sessionStorage.getItem(tokenKey);
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(path, { ...options, headers, cache: "no-store" });
  if (answer.ok) return answer;
  throw new Refused(answer.status, await answer.json().catch(() => ({})));
}

// JSON with all the digits of its numbers, where the browser can keep them.
const parse = (text) => JSON.parse(text, (key, value, context) =>
  typeof value === "number" && JSON.rawJSON && context?.source && context.source !== String(value)
    ? JSON.rawJSON(context.source) : value);
const numberOf = (value) => (JSON.isRawJSON?.(value) ? Number(value.rawJSON) : typeof value === "number" ? value : NaN);

// Reads a stream of events for ever: one that was cut off is asked for again, behind the last event that came.
class EventStream {
  constructor(path, take, lost = () => {}) {
    Object.assign(this, { path, take, lost, lastID: "", control: new AbortController() });
    this.follow();
  }

  async follow() {
    for (let delay = 250; !this.control.signal.aborted; delay = Math.min(delay * 2, 5000)) {
      try {
        const headers = this.lastID ? { "Last-Event-ID": this.lastID } : {};
        const answer = await ask(this.path, { headers, signal: this.control.signal });
        if (answer.status === 204) return;
        delay = 250;
        await this.read(answer.body.pipeThrough(new TextDecoderStream()).getReader());
      } catch (problem) {
        if (this.control.signal.aborted) return;
        this.lost(problem);
        if (problem.status && problem.status < 500 && problem.status !== 429) return;
      }
      this.lost();
      await new Promise((resume) => setTimeout(resume, delay));
    }
  }

  async read(reader) {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) this.event(text.slice(0, end));
    }
  }

  event(block) {
    let name = "message";
    let data;
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      const value = line.slice(colon + 1).replace(/^ /, "");
      const field = line.slice(0, colon);
      if (field === "event") name = value;
      else if (field === "data") data = value;
      else if (field === "id") this.lastID = value;
    }
    if (data !== undefined && !this.control.signal.aborted) this.take(name, parse(data));
  }

  close() { this.control.abort(); }
}

// ---- What is known

const signals = new Map();  // name → {seq, at, value, size, ended, error, came, rates}
const listed = new Map();   // name → as the list has it
const folded = new Set(JSON.parse(sessionStorage.getItem("signalbox-folded") ?? "[]"));
let isFrozen = false;
let waiting = new Map();    // what came while the view was frozen
let passed = 0;
let selected = null;
let view = null;

const graphOf = (name) => name.slice(0, name.indexOf("."));
const isShown = (name) => !folded.has(graphOf(name));

// Values that a page cannot draw are counted: the sequence numbers between two received values.
function apply(changes, draws = true) {
  const now = performance.now();
  for (const [name, change] of changes) {
    const known = signals.get(name);
    const came = change.seq && known?.seq ? change.seq - known.seq : change.seq ? 1 : 0;
    if (came > 1) passed += came - 1;
    const rates = (known?.rates ?? []).filter(([time]) => now - time < 3000);
    if (came > 0) rates.push([now, came]);
    signals.set(name, change.ended ? { ...known, ...change, rates } : { ...change, rates });
    if (draws) draw(name, came > 0 && known !== undefined);
    if (name === selected) showValue();
  }
}

function rate(signal) {
  const now = performance.now();
  signal.rates = (signal.rates ?? []).filter(([time]) => now - time < 3000);
  return signal.rates.reduce((sum, [, count]) => sum + count, 0) / 3;
}

const shortened = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

function textOf(signal, most = 60) {
  if (!signal) return "";
  if (signal.ended) return signal.error ? `${signal.ended}: ${signal.error.code}` : signal.ended;
  if (signal.size) return `${signal.size} bytes`;
  if (signal.value === undefined) return "";
  return shortened(JSON.stringify(signal.value), most);
}

function ageOf(signal) {
  if (!signal?.at) return "";
  const seconds = Math.max(0, (Date.now() - Date.parse(signal.at)) / 1000);
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} d`;
}

// ---- The picture

let picture = null;
let nodes = new Map();
let arrows = new Map();
let scale = 1;
let pulses = 0;
const mostPulses = 120;

async function drawGraphs() {
  const names = [...new Set([...listed.keys()].map(graphOf))].filter((graph) => graph !== "signalbox");
  showGraphs(names);
  const shown = names.filter((graph) => !folded.has(graph));
  const query = shown.length === names.length ? "" : "?" + shown.map((name) => `only=${encodeURIComponent(name)}`).join("&");
  const isFirst = picture === null;
  $("drawing-problem").textContent = "";
  try {
    const text = shown.length ? await (await ask("graph.svg" + query)).text() : "<svg xmlns='http://www.w3.org/2000/svg'/>";
    picture = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  } catch (problem) {
    picture = null;
    $("drawing-problem").textContent = `There is no picture: ${problem.message}`;
  }
  $("canvas").replaceChildren(...(picture ? [picture] : []));
  index();
  if (isFirst && picture?.viewBox.baseVal.width > $("canvas").clientWidth) fit(); else zoom(scale);
  for (const name of signals.keys()) draw(name, false);
  search();
}

function index() {
  nodes = new Map();
  arrows = new Map();
  for (const node of picture?.querySelectorAll("g[data-node]") ?? []) {
    const name = node.dataset.node;
    nodes.set(name, node);
    if (!listed.has(name)) continue;
    node.dataset.open = "";
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", name);
    node.addEventListener("click", () => select(name));
    node.addEventListener("keydown", (key) => { if (key.key === "Enter") select(name); });
  }
  for (const arrow of picture?.querySelectorAll("path[data-from]") ?? []) {
    const from = arrow.dataset.from;
    arrows.set(from, [...(arrows.get(from) ?? []), arrow]);
  }
}

function draw(name, pulsing) {
  const signal = signals.get(name);
  const node = nodes.get(name);
  if (node) {
    node.toggleAttribute("data-failed", signal.ended === "failed");
    node.toggleAttribute("data-ended", Boolean(signal.ended));
    node.toggleAttribute("data-selected", name === selected);
    let label = node.querySelector(".value");
    if (!label) {
      label = document.createElementNS("http://www.w3.org/2000/svg", "text");
      label.classList.add("value");
      const box = node.querySelector("path").getBBox();
      label.setAttribute("x", box.x + box.width / 2);
      label.setAttribute("y", box.y + box.height + 10);
      label.setAttribute("text-anchor", "middle");
      node.append(label);
    }
    label.textContent = textOf(signal, 28);
  }
  if (pulsing) pulse(name);
}

function pulse(name) {
  if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const arrow of arrows.get(name) ?? []) {
    if (pulses >= mostPulses) return;
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    dot.classList.add("pulse");
    dot.setAttribute("r", 4);
    arrow.after(dot);
    pulses += 1;
    const length = arrow.getTotalLength();
    const begin = performance.now();
    const move = (now) => {
      const part = (now - begin) / 400;
      if (part >= 1 || !dot.isConnected) {
        dot.remove();
        pulses -= 1;
        return;
      }
      const point = arrow.getPointAtLength(length * part);
      dot.setAttribute("cx", point.x);
      dot.setAttribute("cy", point.y);
      requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }
}

function zoom(to) {
  scale = Math.min(4, Math.max(0.1, to));
  if (!picture) return;
  const box = picture.viewBox.baseVal;
  picture.setAttribute("width", box.width * scale);
  picture.setAttribute("height", box.height * scale);
}

function fit() {
  const box = picture?.viewBox.baseVal;
  if (box?.width) zoom(Math.min(1.5, ($("canvas").clientWidth - 4) / box.width));
}

function showGraphs(names) {
  $("graphs").replaceChildren(...names.map((name) => {
    const box = element("input", { type: "checkbox", checked: !folded.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) folded.delete(name); else folded.add(name);
      sessionStorage.setItem("signalbox-folded", JSON.stringify([...folded]));
      drawGraphs();
    });
    const label = document.createElement("label");
    label.append(box, ` ${name}`);
    return label;
  }));
}

// ---- The list

const rows = new Map();

function showList() {
  const body = $("rows");
  body.replaceChildren();
  rows.clear();
  for (const name of listed.keys()) {
    const row = body.insertRow();
    const open = element("button", { textContent: name, title: name });
    open.addEventListener("click", () => select(name));
    row.insertCell().append(open);
    for (let cell = 0; cell < 3; cell += 1) row.insertCell();
    rows.set(name, row);
  }
  search();
}

// Text is written some times a second, however often values come.
function refresh() {
  let total = 0;
  for (const [name, row] of rows) {
    const signal = signals.get(name);
    const perSecond = signal ? rate(signal) : 0;
    total += perSecond;
    if (row.hidden) continue;
    row.cells[1].textContent = textOf(signal);
    row.cells[2].textContent = ageOf(signal);
    row.cells[3].textContent = perSecond ? perSecond.toFixed(perSecond < 10 ? 1 : 0) : "";
    row.toggleAttribute("data-failed", signal?.ended === "failed");
    row.toggleAttribute("data-selected", name === selected);
  }
  showNeighbours();
  showLatest();
  $("rate").textContent = `${total.toFixed(total < 10 ? 1 : 0)} values/s`;
  const held = [...waiting.values()].reduce((sum, { since }) => sum + since, 0);
  $("passed").textContent = isFrozen ? `${held} since` : passed ? `${passed} not drawn` : "";
}

function search() {
  const words = $("search").value.toLowerCase();
  let found = 0;
  for (const [name, row] of rows) {
    row.hidden = !isShown(name) || !name.toLowerCase().includes(words);
    if (!row.hidden) found += 1;
  }
  $("none").hidden = found > 0;
  $("canvas").classList.toggle("searching", words !== "");
  for (const [name, node] of nodes) node.toggleAttribute("data-found", name.toLowerCase().includes(words));
}

// ---- One signal

let past = [];
let historyStream = null;
// The rate in values a second up to which a page receives every value.
const mostFollowed = 100;

async function select(name) {
  const before = selected;
  selected = name;
  historyStream?.close();
  historyStream = null;
  past = [];
  showExplaining(false);
  for (const each of [before, name]) nodes.get(each)?.toggleAttribute("data-selected", each === name && name !== null);
  $("detail").hidden = name === null;
  // Who goes by keyboard finds himself at the signal in the list.
  if (name === null) return rows.get(before)?.querySelector("button").focus();
  $("name").textContent = name;
  $("doc").textContent = listed.get(name)?.doc ?? "";
  $("declaration").textContent = "";
  $("facts").replaceChildren();
  showSending(name);
  showValue();
  showHistory();
  $("detail").focus();
  followHistory();
  try {
    const description = await (await ask(`signals/${encodeURIComponent(name)}/declaration`)).json();
    if (selected === name) describe(description);
  } catch (problem) {
    $("declaration").textContent = problem.message;
  }
}

// The open signal once more, whose declaration may be another one now.
async function describeAgain() {
  const name = selected;
  const description = await (await ask(`signals/${encodeURIComponent(name)}/declaration`)).json();
  if (selected !== name) return;
  const { type = "any" } = description.declaration?.input ?? description.declaration?.property ?? {};
  // Text entered for another type is no longer valid.
  if (!target(name)?.isAction && fields[type] !== sending) $("send-value").value = "";
  describe(description);
  $("send").hidden = !target(name);
}

function describe({ kind, declaration, upstream, downstream, seq, subscribers, errors, dropped, place, why }) {
  showExplaining(why === true);
  const facts = { kind, values: seq, subscribers, errors, dropped, from: upstream, to: downstream, place };
  $("facts").replaceChildren(...Object.entries(facts).filter(([, value]) => value !== undefined && value.length !== 0).flatMap(
    ([key, value]) => [
      element("dt", { textContent: key }), element("dd", {}, Array.isArray(value) ? value.map(neighbour) : [value]),
    ]));
  showNeighbours();
  $("declaration").textContent = JSON.stringify(declaration, null, 2);
  const { type = "any" } = declaration?.input ?? declaration?.property ?? {};
  if (Object.hasOwn(fields, type) && !$("send-value").value) showSending(selected, type, listed.get(selected)?.unit);
}

// A signal that the open one is computed from, or the other way round, with the value that it has now.
function neighbour(name) {
  const open = element("button", { type: "button", textContent: name, disabled: !listed.has(name) });
  open.addEventListener("click", () => select(name));
  const value = element("span");
  value.dataset.signal = name;
  return element("div", {}, [open, value]);
}

function showNeighbours() {
  for (const value of $("facts").querySelectorAll("[data-signal]")) {
    value.textContent = ` ${textOf(signals.get(value.dataset.signal), 40)}`;
  }
}

function showValue() {
  const signal = signals.get(selected);
  const unit = listed.get(selected)?.unit;
  $("value").textContent = signal?.value === undefined
    ? textOf(signal) : JSON.stringify(signal.value, null, 2) + (unit ? ` ${unit}` : "");
}

const isTooFast = () => rate(signals.get(selected) ?? {}) > mostFollowed;

// The values of the signal that is open: all of them, or if they are too many at most twenty a second.
function followHistory(isThinned = isTooFast()) {
  historyStream?.close();
  past = []; // The latest of it comes again.
  const thinned = isThinned ? "&every=50ms" : "";
  historyStream = new EventStream(
    `events?signal=${encodeURIComponent(selected)}&replay=200&overflow=latest${thinned}`, (event, data) => {
      if (!isThinned && isTooFast()) return followHistory(true);
      remember(event, data);
    });
}

function remember(event, data) {
  if (isFrozen) return;
  if (event === "message") past.push({ at: Date.parse(data.at), value: data.value, seq: data.seq });
  else if (["completed", "failed", "interrupted"].includes(event)) past.push({ at: Date.now(), end: event });
  else return;
  if (past.length > 400) past.shift();
  showHistory();
}

function showHistory() {
  const values = past.filter(({ end }) => !end).map(({ at, value }) => ({ at, value: numberOf(value) }));
  const numbers = values.length > 1 && values.every(({ value }) => !Number.isNaN(value));
  $("curve").toggleAttribute("hidden", !numbers);
  if (numbers) drawCurve(values);
  drawMarbles();
}

function drawCurve(values) {
  const [first, last] = [values[0].at, values[values.length - 1].at];
  const low = Math.min(...values.map(({ value }) => value));
  const high = Math.max(...values.map(({ value }) => value));
  const x = (at) => (last > first ? ((at - first) / (last - first)) * 320 : 320);
  const y = (value) => (high > low ? 80 - ((value - low) / (high - low)) * 70 : 45);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  line.setAttribute("points", values.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" "));
  const text = (words, height) => {
    const label = document.createElementNS("http://www.w3.org/2000/svg", "text");
    label.setAttribute("x", 2);
    label.setAttribute("y", height);
    label.textContent = words;
    return label;
  };
  $("curve").replaceChildren(line, text(high, 8), text(low, 89));
}

// The notation of tests: each step is as long as fits the latest values on one line.
function drawMarbles() {
  const recent = past.slice(-26);
  if (!recent.length) {
    $("marbles").textContent = "";
    $("legend").textContent = "Nothing yet.";
    return;
  }
  const span = Math.max(1, recent[recent.length - 1].at - recent[0].at);
  const steps = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000, 300000, 3600000, 86400000];
  const step = steps.find((each) => span / each <= 40) ?? span / 40;
  const letters = new Map();
  let line = "";
  let place = 0;
  for (const { at, value, end } of recent) {
    const due = Math.floor((at - recent[0].at) / step);
    if (due > place) line += "-".repeat(due - place);
    if (end) {
      line += end === "failed" ? "^" : end === "completed" ? "|" : "!";
    } else {
      const text = JSON.stringify(value);
      if (!letters.has(text)) letters.set(text, String.fromCharCode(97 + letters.size));
      line += letters.get(text);
    }
    place = Math.max(place, due) + 1;
  }
  $("marbles").textContent = line;
  const length = step >= 1000 ? `${step / 1000}s` : `${step}ms`;
  const meaning = [...letters].map(([text, letter]) => `${letter} = ${shortened(text, 24)}`).join(", ");
  $("legend").textContent = `Each step is ${length}. ${meaning}`;
}

// ---- Why a value is what it is

let explains = false; // True if values of the open signal can be explained
let explanation = null; // What is being explained, and the way to give up
const mostLatest = 12;
const mostReads = 10;
const mostDepth = 100;

function showExplaining(may) {
  explains = may;
  $("why-value").hidden = $("why-not").hidden = !may;
  closeExplanation();
  showLatest();
}

const jsonText = (value, most = 80) => {
  const text = JSON.stringify(value) ?? "";
  return element("code", { textContent: shortened(text, most), title: text.length > most ? shortened(text, 2000) : "" });
};

// The time of day, behind the day if that is another than today.
function timeText(at) {
  const moment = new Date(at);
  const time = `${moment.toLocaleTimeString([], { hour12: false })}.${String(moment.getMilliseconds()).padStart(3, "0")}`;
  const isToday = moment.toDateString() === new Date().toDateString();
  return element("time", { dateTime: at, title: at, textContent: isToday ? time : `${moment.toLocaleDateString()} ${time}` });
}

// The latest values with their numbers. While the list has the focus it stands still.
function showLatest() {
  const list = $("values");
  const latest = explains ? past.filter(({ seq }) => seq).slice(-mostLatest).reverse() : [];
  list.hidden = latest.length === 0;
  const state = [selected, ...latest.map(({ seq }) => seq)].join();
  if (list.hidden || list.dataset.state === state || list.contains(document.activeElement) || list.matches(":hover")) return;
  list.dataset.state = state;
  list.replaceChildren(...latest.map(({ at, value, seq }) => {
    const why = element("button", { type: "button", textContent: "Why?", ariaLabel: `Why number ${seq}?` });
    why.addEventListener("click", () => explain(whyValue(seq)));
    return element("li", {}, [jsonText(value, 40), timeText(new Date(at).toISOString()), why]);
  }));
}

// The questions: what they are called, how they are asked, and how the answer is shown.
const whyValue = (seq, depth = 0) => ({
  title: seq ? `Why number ${seq}?` : "Why?",
  query: `depth=${depth}${seq ? `&seq=${seq}` : ""}`,
  show({ why, needed, entries, since }) {
    const all = `${entries} input${entries === 1 ? "" : "s"}`;
    $("why-state").replaceChildren(`Needs ${needed.length} of ${all} since `, timeText(since), ".");
    return new ExplanationTree(seq, depth).chain(why, "", null);
  },
});

const whySilence = {
  title: "Why nothing newer?",
  query: "not=true",
  show({ signal, turns }) {
    $("why-state").textContent = turns.length ? "What came nearest to it, nearest first:"
      : `No input of ${signal} has entered in all that is known.`;
    return new SilenceList(signal).list(turns);
  },
};

// Asks, and shows the answer; at the same place again, where more of it was asked for.
async function explain(question, place = null) {
  explanation?.control.abort();
  const asked = { control: new AbortController() };
  explanation = asked;
  $("why").hidden = false;
  $("why-title").textContent = question.title;
  $("why-problem").textContent = "";
  $("why-state").textContent = "Working it out…";
  if (place === null) {
    $("why-tree").replaceChildren();
    $("why").focus();
  }
  try {
    const path = `signals/${encodeURIComponent(selected)}/why?${question.query}`;
    const answer = await (await ask(path, { signal: asked.control.signal })).json();
    if (explanation !== asked) return;
    $("why-tree").replaceChildren(question.show(answer));
    if (place !== null) $("why-tree").querySelector(`[data-place="${place}"]`)?.focus();
  } catch (problem) {
    if (explanation !== asked) return;
    $("why-state").textContent = "";
    $("why-problem").textContent = problem.message;
  }
}

function closeExplanation() {
  explanation?.control.abort();
  explanation = null;
  $("why").hidden = true;
  $("why-state").textContent = "";
  $("why-problem").textContent = "";
  $("why-tree").replaceChildren();
}

function leaveExplanation() {
  closeExplanation();
  $("why-value").focus();
}

function signalButton(name) {
  const open = element("button", { type: "button", className: "signal", textContent: name, disabled: !listed.has(name) });
  open.addEventListener("click", () => select(name));
  return open;
}

const aside = (textContent) => element("span", { className: "aside", textContent });

const worlds = {
  file: "change of a file", tail: "lines of a followed file", program: "output of a program", journal: "system journal",
  bus: "event on a bus", program_end: "end of a program", bus_reply: "reply on a bus",
};

// Returns the text of an input, as signalbox why prints it.
function entryWords({ entry, signal, user, user_name: userName, connection, world }) {
  const sender = (user === undefined ? "" : ` by ${userName ?? `user ${user}`}`) + (connection === undefined ? "" : `, connection ${connection}`);
  const name = signal ? signalButton(signal) : "";
  switch (entry) {
    case "sent": return ["sent to ", name, sender];
    case "ended": return ["end of ", name, ", sent", sender];
    case "timers": return ["timer"];
    case "crossing": return ["emitted by ", name, ", which is not durable"];
    case "listening": return ["subscription to ", name, ", which is lazy"];
    case "restart": return ["restart of ", name, sender];
    case "start": return ["start or reload of the graphs"];
    case "world": return [worlds[world] ?? "an event outside"];
    default: return [`${entry ?? "an entry"} `, name];
  }
}

// The provenance of a value as nested lists, newest first: a chain is one list; joins and remembered values are
// lists within an item.
class ExplanationTree {
  constructor(seq, depth) { Object.assign(this, { seq, depth }); }

  chain(node, place, before) {
    const list = element("ol");
    for (;;) {
      const item = this.item(node, place, before);
      list.append(item);
      item.append(...this.reads(node.read, place, node.at));
      if (node.given?.length !== 1) {
        item.append(...this.chains(node, place));
        return list;
      }
      before = node.at ?? before;
      place += "g0";
      node = node.given[0];
    }
  }

  chains(node, place) { return (node.given ?? []).map((cause, index) => this.chain(cause, `${place}g${index}`, node.at)); }

  item(node, place, before) {
    const item = element("li", {}, this.words(node));
    if ("value" in node) item.append(": ", jsonText(node.value));
    if (node.event) item.append(`: ${node.event}${node.error ? `, ${node.error.message ?? node.error.code}` : ""}`);
    if (node.place) item.append(" ", aside(node.place));
    if (node.at && node.at !== before) item.append(" ", timeText(node.at));
    if (node.repeated) item.append(" ", aside("as above"));
    return this.openable(item, node, place);
  }

  // Returns the text of a node, as signalbox why prints it.
  words(node) {
    const number = node.seq ? ` ${node.seq}` : "";
    switch (node.kind) {
      case "signal": return [signalButton(node.signal), number];
      case "step": return [element("code", { textContent: node.step })];
      case "entry": return entryWords(node);
      case "timer": return ["timer fired"];
      case "sent": return ["sent to ", signalButton(node.signal), " by a pipe"];
      default: return ["from before all that is known here"];
    }
  }

  reads(reads = [], place, before) {
    if (reads.length === 0) return [];
    const items = reads.map((read, index) => this.read(read, `${place}r${index}`, before));
    const list = element("ul", {}, items.slice(0, mostReads));
    if (items.length > mostReads) {
      const rest = element("details", {}, [
        element("summary", { textContent: `and ${items.length - mostReads} more` }), element("ul", {}, items.slice(mostReads))]);
      list.append(element("li", {}, [rest]));
    }
    return [list];
  }

  read({ role, value, origin }, place, before) {
    const item = element("li", {}, [{ chosen: "chosen by ", called: "called for " }[role] ?? "remembered ", jsonText(value)]);
    if (!origin) return item;
    if (origin.kind !== "unknown") {
      // A count or a state came with an event, and is not its value.
      const isValue = JSON.stringify(origin.value) === JSON.stringify(value);
      item.append(isValue ? ", " : ", with ", ...this.words(origin));
      if (origin.at && origin.at !== before) item.append(" at ", timeText(origin.at));
    }
    if (origin.repeated) item.append(" ", aside("as above"));
    this.openable(item, origin, place);
    item.append(...this.reads(origin.read, place, origin.at), ...this.chains(origin, place));
    return item;
  }

  // Lets follow further what was cut, and come back to that place.
  openable(item, node, place) {
    item.dataset.place = place;
    item.tabIndex = -1;
    if (!node.cut || this.depth >= mostDepth) return item;
    const further = element("button", { type: "button", textContent: "further back" });
    further.addEventListener("click", () => explain(whyValue(this.seq, this.depth + 1), place));
    item.append(" ", further);
    return item;
  }
}

// The inputs that came nearest, and the operator that dropped each.
class SilenceList {
  constructor(signal) { this.signal = signal; }

  list(turns) {
    return element("ul", {}, turns.map((turn) => {
      const told = "told" in turn ? [element("li", {}, [`${this.signal} emitted `, jsonText(turn.told)])] : [];
      const ends = element("ul", {}, [...turn.stops.map((stop) => element("li", {}, this.words(stop))), ...told]);
      const others = turn.others ? [" ", aside(`and ${turn.others} more before it that came as far`)] : [];
      return element("li", {}, [...entryWords(turn), " at ", timeText(turn.at), ...others, ends]);
    }));
  }

  words({ signal, step, place, given, remembered = [], until, error }) {
    const words = [element("code", { textContent: step }), " of ", signalButton(signal)];
    if (until) words.push(" holds ", jsonText(given), " until ", timeText(until));
    else if (error) words.push(" refused ", jsonText(given), `: ${error.message ?? error.code}`);
    else words.push(" emitted nothing for ", jsonText(given));
    if (!until && !error && remembered.length) words.push(", remembering ", jsonText(remembered));
    return place ? [...words, " ", aside(place)] : words;
  }
}

// An action is called by the name that its signals have in common.
function target(name) {
  const signal = listed.get(name);
  if (signal?.kind === "action") {
    const action = name.slice(0, name.lastIndexOf("."));
    return { path: `actions/${encodeURIComponent(action)}`, method: "POST", title: `Call ${action}`, isAction: true };
  }
  return signal?.send ? { path: `signals/${encodeURIComponent(name)}`, method: "PUT", title: "Send" } : null;
}

// The form field of each input type, and the JSON of its content.
const numberField = (step) => () => element("input", { type: "number", step });
const textField = () => element("textarea", { rows: 3, spellcheck: false });
const numberText = (text, field) => {
  if (!field.checkValidity() || text === "") throw new Error(field.validationMessage || "Enter a number.");
  // With all its digits; JSON knows neither 007 nor .5, which the field takes.
  return text.replace(/^(-?)0+(?=\d)/, "$1").replace(/^(-?)\./, "$10.");
};
const fields = {
  boolean: {
    label: "True or false", make: () => element("select", {}, ["true", "false"].map((text) => new Option(text))),
    read: (text) => text,
  },
  integer: { label: "An integer", make: numberField("1"), read: numberText },
  number: { label: "A number", make: numberField("any"), read: numberText },
  string: { label: "Text", make: textField, read: (text) => JSON.stringify(text) },
  object: { label: "An object, as JSON", make: textField, read: (text) => jsonOf(text, "an object", (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value)) },
  array: { label: "An array, as JSON", make: textField, read: (text) => jsonOf(text, "an array", Array.isArray) },
  any: { label: "A value, as JSON", make: textField, read: (text) => jsonOf(text) },
  input: {
    label: "The value for its standard input, as JSON, or nothing", make: textField,
    read: (text) => (text.trim() === "" ? "" : jsonOf(text)),
  },
};
let sending = fields.any;

// The text itself, with all its digits, if it is JSON and what the type asks for.
function jsonOf(text, what, isRight = () => true) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (problem) {
    throw new Error(`That is not JSON: ${problem.message}`);
  }
  if (!isRight(value)) throw new Error(`That is not ${what}.`);
  return text;
}

function showSending(name, type = "any", unit = null) {
  const to = target(name);
  $("send").hidden = !to;
  sending = fields[to?.isAction ? "input" : type];
  $("send-title").textContent = to?.title ?? "";
  $("send-button").textContent = to?.isAction ? "Call" : "Send";
  $("send-label").textContent = sending.label + (unit ? `, in ${unit}` : "");
  const field = Object.assign(sending.make(), { id: "send-value" });
  field.setAttribute("aria-describedby", "send-problem");
  $("send-field").replaceChildren(field);
  tellSent("");
}

// Says how sending went; a problem is read out, and stands at the field.
function tellSent(result, problem = "") {
  $("send-result").textContent = result;
  $("send-problem").textContent = problem;
  $("send-value").setAttribute("aria-invalid", problem !== "");
}

async function send(submission) {
  submission.preventDefault();
  const name = selected;
  const to = target(name);
  // Another signal's field may be there when the answer comes.
  const tell = (...words) => { if (selected === name) tellSent(...words); };
  try {
    if (!to) throw new Error("There is no such signal any more.");
    const body = sending.read($("send-value").value, $("send-value"));
    // Without a type a text would be sent, and be a value as it is.
    const headers = { "Content-Type": "application/json" };
    const answer = await (await ask(to.path, { method: to.method, headers, body })).json();
    tell(to.isAction ? answer.outputs.map((output) => JSON.stringify(output)).join("\n") || "done"
      : answer.seq === null ? "taken; the signal's own pipe let nothing through" : `sent: number ${answer.seq}`);
  } catch (problem) {
    tell("", problem.message);
  }
}

// ---- The view

function setState(state, text) {
  $("state").dataset.state = state;
  $("state").textContent = text;
}

function take(event, data) {
  if (event === "connected") {
    setState("connected", "live");
    load();
  } else if (event === "disconnected") {
    setState("disconnected", "the daemon is gone; waiting for it");
  } else if (event === "view") {
    const changes = Object.entries(data.signals);
    if (changes.some(([name]) => !listed.has(name))) load();
    if (!isFrozen) return apply(changes);
    for (const [name, change] of changes) {
      const known = waiting.get(name) ?? { since: 0, seq: signals.get(name)?.seq ?? 0 };
      waiting.set(name, { ...change, since: known.since + Math.max(0, (change.seq ?? known.seq) - known.seq) });
    }
  }
}

function freeze() {
  isFrozen = !isFrozen;
  $("freeze").setAttribute("aria-pressed", isFrozen);
  $("freeze").textContent = isFrozen ? "Go on" : "Freeze";
  document.body.classList.toggle("frozen", isFrozen);
  if (!isFrozen) {
    apply([...waiting].map(([name, { since, ...change }]) => [name, change]));
    waiting = new Map();
  }
  refresh();
}

// The list and the picture, again after the daemon or its configuration has changed; several wishes at once are one.
let loading = null;
function load() {
  loading ??= (async () => {
    await new Promise((resume) => setTimeout(resume, 50));
    loading = null;
    try {
      const list = (await (await ask("signals")).json()).signals.filter(({ subscribe, send: may }) => subscribe || may);
      listed.clear();
      for (const signal of list) listed.set(signal.signal, signal);
      for (const name of [...signals.keys()]) if (!listed.has(name)) signals.delete(name);
      showList();
      await drawGraphs();
      if (selected && !listed.has(selected)) select(null); else if (selected) await describeAgain();
    } catch (problem) {
      if (problem.status === 401) logOut();
    }
  })();
  return loading;
}

function logOut(problem = "") {
  view?.close();
  view = null;
  setState("waiting", "a token is needed");
  document.querySelector("main").hidden = true;
  $("login").hidden = false;
  $("login-problem").textContent = problem;
  $("token").focus();
}

function start() {
  $("login").hidden = true;
  document.querySelector("main").hidden = false;
  view?.close();
  view = new EventStream("view", take, (problem) => {
    if (problem?.status === 401) return logOut(sessionStorage.getItem(tokenKey) ? "This token is not known." : "");
    setState("disconnected", "the gateway is gone; waiting for it");
  });
}

// A hidden page costs nothing.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    view?.close();
    historyStream?.close();
    view = historyStream = null;
  } else if ($("login").hidden) {
    start();
    // Text being entered stays.
    if (selected) followHistory();
  }
});

$("login").addEventListener("submit", (submission) => {
  submission.preventDefault();
  sessionStorage.setItem(tokenKey, $("token").value);
  start();
});
$("send").addEventListener("submit", send);
$("search").addEventListener("input", search);
$("freeze").addEventListener("click", freeze);
$("close").addEventListener("click", () => select(null));
$("why-value").addEventListener("click", () => explain(whyValue(signals.get(selected)?.seq)));
$("why-not").addEventListener("click", () => explain(whySilence));
$("why-close").addEventListener("click", leaveExplanation);
$("smaller").addEventListener("click", () => zoom(scale / 1.25));
$("larger").addEventListener("click", () => zoom(scale * 1.25));
$("fit").addEventListener("click", fit);
document.addEventListener("keydown", (key) => {
  if (key.key === "Escape" && explanation) return leaveExplanation();
  if (key.key === "Escape" && selected) return select(null);
  if (key.target.matches("input, select, textarea") || key.ctrlKey || key.metaKey || key.altKey) return;
  const actions = { "/": () => $("search").focus(), f: freeze, "+": () => zoom(scale * 1.25), "-": () => zoom(scale / 1.25), 0: fit };
  const action = actions[key.key.toLowerCase()];
  if (!action) return;
  key.preventDefault();
  action();
});
setInterval(() => { if (!document.hidden) refresh(); }, 250);
start();
