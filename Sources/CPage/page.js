// The page: it shows what the gateway's /view tells, some times a second, on the picture that the gateway draws.

const $ = (id) => document.getElementById(id);
const tokenKey = "signalbox-token";

function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// ---- The gateway

// The address says behind #, which no server and no log sees, what is shown, and a token, which is kept for this tab alone.
const address = new URLSearchParams(location.hash.slice(1));
const isKiosk = new URLSearchParams(location.search).has("kiosk");
document.body.toggleAttribute("data-kiosk", isKiosk);
takeToken(address);

// Returns true if there is one. A tablet on a wall begins again at its address, which therefore keeps the token.
function takeToken(said) {
  if (!said.get("token")) return false;
  sessionStorage.setItem(tokenKey, said.get("token"));
  if (!isKiosk) history.replaceState(null, "", location.pathname);
  return true;
}

class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.status = status;
    this.code = problem.code;
  }
}

// The time after which a question is given up, in milliseconds; an action may run for longer.
const answerLimit = 30e3;

async function ask(path, options = {}) {
  const token = sessionStorage.getItem(tokenKey);
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const signal = options.signal ?? (options.method === "POST" ? undefined : AbortSignal.timeout(answerLimit));
  const asked = Date.now();
  const answer = await fetch(path, { ...options, headers, signal, cache: "no-store" });
  serverTime.note(asked, Date.parse(answer.headers.get("Date")));
  if (answer.ok) return answer;
  throw new Refused(answer.status, await answer.json().catch(() => ({})));
}

// The time of the machine that the values are from, which decides what is old; the browser's clock may be another one.
const serverTime = {
  ahead: 0, // How far it is ahead of the browser's clock, in milliseconds

  now() { return Date.now() + this.ahead; },

  // An answer to a question that was asked at a time of the browser has the whole second in which it began.
  note(asked, second) {
    if (Number.isNaN(second)) return;
    this.ahead = Math.max(second - Date.now(), Math.min(second + 1000 - asked, this.ahead));
  },

  // A value that has come is not from the future.
  noteEvent(at) {
    if (at > this.now()) this.ahead = at - Date.now();
  },
};

// JSON with all the digits of its numbers, where the browser can keep them.
const parse = (text) => JSON.parse(text, (key, value, context) =>
  typeof value === "number" && JSON.rawJSON && context?.source && context.source !== String(value)
    ? JSON.rawJSON(context.source) : value);
const numberOf = (value) => (JSON.isRawJSON?.(value) ? Number(value.rawJSON) : typeof value === "number" ? value : NaN);

// The longest silence of a stream that is alive: a comment comes after 15 to 30 seconds in which nothing else does.
const silenceLimit = 35e3;
const openingLimit = 15e3;
const watchInterval = 2000;
const silence = new Error("The gateway does not answer.");

// Tells once that nothing has come for too long, or that the page has slept: then what it was connected to may be gone, and
// the silence meanwhile says nothing. The clocks differ in whether they count the sleep of the machine.
class Watch {
  constructor(limit, bite) {
    Object.assign(this, { limit, bite, silence: 0, seen: [performance.now(), Date.now()] });
    this.timer = setInterval(() => this.look(), watchInterval);
  }

  feed(limit = this.limit) { Object.assign(this, { limit, silence: 0 }); }

  look() {
    const now = [performance.now(), Date.now()];
    const passed = Math.max(...now.map((time, index) => time - this.seen[index]));
    this.seen = now;
    this.silence += passed;
    if (passed > 5 * watchInterval) this.end("slept"); else if (this.silence > this.limit) this.end("silent");
  }

  end(reason) {
    this.stop();
    this.bite(reason);
  }

  stop() { clearInterval(this.timer); }
}

// Reads a stream of events for ever: one that was cut off, or in which nothing comes any more, is asked for again, behind
// the last event that came.
class EventStream {
  constructor(path, take, lost = () => {}) {
    Object.assign(this, { path, take, lost, lastID: "", control: new AbortController() });
    this.follow();
  }

  async follow() {
    const { signal: closing } = this.control;
    for (let delay = 250; !closing.aborted; delay = Math.min(delay * 2, 5000)) {
      const attempt = new AbortController();
      const give = () => attempt.abort();
      closing.addEventListener("abort", give);
      let end = null;
      const watch = new Watch(openingLimit, (reason) => {
        end = reason;
        give();
      });
      try {
        const headers = this.lastID ? { "Last-Event-ID": this.lastID } : {};
        const answer = await ask(this.path, { headers, signal: attempt.signal });
        if (answer.status === 204) return;
        delay = 250;
        watch.feed(silenceLimit);
        await this.read(answer.body.pipeThrough(new TextDecoderStream()).getReader(), watch);
      } catch (problem) {
        if (closing.aborted) return;
        // A page that wakes up goes on at once, and tells of a loss only if there is one.
        if (end === "slept") continue;
        this.lost(end === "silent" ? silence : problem);
        if (problem.status && problem.status < 500 && problem.status !== 429) return;
      } finally {
        watch.stop();
        closing.removeEventListener("abort", give);
      }
      if (end !== "silent") this.lost();
      await new Promise((resume) => setTimeout(resume, delay));
    }
  }

  async read(reader, watch) {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      watch.feed();
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
// The daemon's own signals are of interest to few.
const folded = new Set(JSON.parse(sessionStorage.getItem("signalbox-folded") ?? '["signalbox"]'));
let isFrozen = false;
let waiting = new Map();    // what came while the view was frozen
let passed = 0;
let selected = null;
let view = null;

const graphOf = (name) => name.slice(0, name.indexOf("."));
// Shows a name that may be broken into its words, which is read as one.
function showName(node, name) {
  node.replaceChildren(...name.split(/(?<=[_.-])/).flatMap((piece, index) => (index ? [element("wbr"), piece] : [piece])));
  node.ariaLabel = name;
}
const shortName = (name) => name.slice(name.indexOf(".") + 1);
const isShown = (name) => !folded.has(graphOf(name));

function toggleGraph(graph) {
  if (!folded.delete(graph)) folded.add(graph);
  sessionStorage.setItem("signalbox-folded", JSON.stringify([...folded]));
  showGraphs();
  search();
  drawAgain();
}

// Draws the graphs again, as soon as they are looked at.
function drawAgain() {
  staleDrawing = true;
  if (!$("drawing").hidden) drawGraphs();
}

let epoch = null;           // The run of the daemon that the values are from
const holding = new Set();  // Signals that have been seen to hold a value

// An update with an epoch has all values that there are. One that is not among them is over together with the run of the
// daemon that it is from; within a run, only if its signal would hold it.
function lostBy({ epoch: now, signals: told }) {
  if (now === undefined) return [];
  const isOver = now !== epoch;
  epoch = now;
  for (const name of Object.keys(told)) holding.add(name);
  return [...new Set([...signals.keys(), ...waiting.keys()])]
    .filter((name) => !Object.hasOwn(told, name) && (isOver || holding.has(name))).map((name) => [name, {}]);
}

// Values that a page cannot draw are counted: the sequence numbers between two received values.
function apply(changes, draws = true) {
  const now = performance.now();
  for (const [name, change] of changes) {
    const known = signals.get(name);
    if (change.seq && change.seq !== known?.seq) serverTime.noteEvent(Date.parse(change.at));
    const came = change.seq && known?.seq ? change.seq - known.seq : change.seq ? 1 : 0;
    if (came > 1) passed += came - 1;
    noteEnd(name, change, known);
    noteFailures(name, change, came);
    const rates = (known?.rates ?? []).filter(([time]) => now - time < 3000);
    if (came > 0) rates.push([now, came]);
    signals.set(name, change.ended ? { ...known, ...change, rates } : { ...change, rates });
    if (change.at || change.ended) noteSpark(name, change); else sparks.delete(name);
    // The list knows of a first value, too, if its signal holds it.
    const isFirst = change.seq && !known?.seq && !holding.has(name);
    if (listed.get(name)?.severity?.when || isFirst) unjudged.add(name);
    notePlots(name, change);
    if (draws) draw(name, came > 0 && known !== undefined);
    if (name === selected) showValue();
  }
}

// A failed expression is over with the next value; those that the daemon reports are in its own signal, for who may see it.
function noteFailures(name, { value }, came) {
  if (came === 0) return;
  hasNews = true;
  const entry = listed.get(name);
  if (entry?.refused) {
    entry.refused = undefined;
    unjudged.add(name);
  }
  if (name === "signalbox.errors" && listed.has(value?.signal)) unjudged.add(value.signal);
}

// The list knows when a signal ended; the view tells an end anew to each page that opens.
function noteEnd(name, { ended, at }, known) {
  const entry = listed.get(name);
  if (ended && known && !known.ended && entry) entry.ended = { event: ended, at };
}

function rate(signal) {
  const now = performance.now();
  signal.rates = (signal.rates ?? []).filter(([time]) => now - time < 3000);
  return signal.rates.reduce((sum, [, count]) => sum + count, 0) / 3;
}

const shortened = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

// A number as people read it: with the decimals that its signal declares, otherwise with five digits that matter.
// Integers keep all of theirs, if they are not endless. No number is ever cut: without its end it would be another one.
const mostDigits = 21;

function numberShown(value, precision) {
  const text = JSON.stringify(value);
  const number = numberOf(value);
  if (!Number.isFinite(number)) return text;
  const short = (whole) => (whole.length > mostDigits ? number.toExponential(4) : whole);
  if (precision !== undefined && Math.abs(number) < 1e15) return short(unsigned(number.toFixed(precision)));
  if (/^-?\d+$/.test(text)) return short(text);
  const whole = Math.abs(number) < 1 ? 0 : Math.floor(Math.log10(Math.abs(number))) + 1;
  return String(Number(number.toPrecision(Math.min(21, Math.max(5, whole)))));
}
const unsigned = (text) => (/^-[0.]+$/.test(text) ? text.slice(1) : text);

// A value in a few words: numbers rounded, text without quotes.
function valueShown(name, value, most = 60) {
  if (!Number.isNaN(numberOf(value))) return numberShown(value, listed.get(name)?.precision);
  return shortened(typeof value === "string" ? value : JSON.stringify(value) ?? "", most);
}

function textOf(name, most = 60) {
  const signal = signals.get(name);
  if (!signal) return "";
  if (signal.ended) return signal.error ? `${signal.ended}: ${signal.error.code}` : signal.ended;
  if (signal.size) return `${signal.size} bytes`;
  return signal.value === undefined ? "" : valueShown(name, signal.value, most);
}

const withUnit = (name, text) => {
  const unit = listed.get(name)?.unit;
  return unit && text ? `${text}\u00a0${unit}` : text;
};

// ---- What demands attention

const levels = ["info", "warning", "critical", "failed"];
const unjudged = new Set(); // Signals whose condition the daemon has to judge again
let isJudging = false;
let judged = 0;

// The troubles of a signal, in a few words and in full: a connection that is away, full queues, and failures.
function troublesOf(name) {
  const { away, paused_by: pauses = [], failure, refused, calls } = listed.get(name) ?? {};
  const full = (error) => `${error.code}: ${error.message}${error.age === undefined ? "" : `, ${Math.round(error.age)} s ago`}`;
  const troubles = [];
  if (away) troubles.push({ words: "away", text: `connection ${away.connection} is away: ${away.reason ?? "no reason is known"}` });
  for (const pause of pauses) troubles.push({ words: "paused", text: `waits for the full queue of ${pause.signal}${pause.action ?? pause.connection ? ` (${pause.action ?? pause.connection})` : ""}` });
  if (failure) troubles.push({ words: `source failed: ${failure.code}`, text: `source failed: ${full(failure)}`, fails: true });
  if (refused) {
    const words = refused.code === "limit" ? "values dropped" : `${refused.operator} failed`;
    troubles.push({ words: `${words}: ${refused.code}`, text: `${words}: ${full(refused)}`, fails: true, isLastError: true });
  }
  if (calls?.error) {
    const what = calls.error.connection ? "publish" : "call";
    troubles.push({ words: `${what} failed: ${calls.error.code}`, text: `${what} failed: ${full(calls.error)}`, fails: true });
  }
  return troubles;
}

// The level that a signal demands attention with, or null. A condition is the daemon's to judge.
function levelOf(name) {
  const signal = signals.get(name);
  if (signal?.ended === "failed") return "failed";
  const level = severityOf(name, signal);
  return level === "critical" || !troublesOf(name).some(({ fails }) => fails) ? level : "warning";
}

function severityOf(name, signal) {
  const severity = listed.get(name)?.severity;
  if (!severity || !signal || signal.value === undefined) return null;
  const active = severity.when ? severity.active : signal.value !== false && signal.value !== null;
  return active ? severity.level : null;
}

// The daemon does not tell when something begins or ceases to fail, so the page asks every so many milliseconds.
const troublesInterval = 5000;
const mayHaveTroubles = () => hasNews || [...listed.values()].some(({ signal, kind }) => kind === "source" || kind === "action" || signal.endsWith(".published"));
const stateMembers = ["severity", "away", "paused_by", "failure", "refused", "calls"];
let hasNews = false; // True if values came since the list was asked for, on which expressions may have failed

// Asks for the verdicts on new values, at most once a second, and for what fails.
async function judge() {
  const since = performance.now() - judged;
  const isDue = since >= troublesInterval && mayHaveTroubles();
  if (isJudging || !isDue && (unjudged.size === 0 || since < 1000)) return;
  isJudging = true;
  if (isDue) hasNews = false;
  judged = performance.now();
  const names = [...unjudged];
  unjudged.clear();
  try {
    const query = names.length === 1 && !isDue ? `?pattern=${encodeURIComponent(names[0])}` : "";
    for (const signal of (await (await ask(`signals${query}`)).json()).signals) {
      const known = listed.get(signal.signal);
      if (signal.held) holding.add(signal.signal);
      if (known) for (const member of stateMembers) known[member] = signal[member];
    }
    showConnections();
  } catch {
    for (const name of names) unjudged.add(name);
  }
  isJudging = false;
}

const iconColours = { failed: "b3261e", critical: "d32f2f", warning: "e08a00", info: "1976d2", none: "33aa77" };

// The tab says what is wrong to those who look at another one.
function showAlarms(active) {
  const worst = active[0]?.level ?? "none";
  const place = isKiosk && openView !== null ? $("view-title").textContent : "signalbox";
  const title = active.length ? `(${active.length}) ${shortName(active[0].name)} · ${place}` : place;
  if (document.title !== title) document.title = title;
  if (document.documentElement.dataset.worst === worst) return;
  document.documentElement.dataset.worst = worst;
  $("icon").href = "data:image/svg+xml," + encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><circle cx='4' cy='4' r='3' fill='#${iconColours[worst]}'/></svg>`);
}

function ageOf(name, signal = signals.get(name)) {
  const at = (signal?.ended && listed.get(name)?.ended?.at) || signal?.at;
  if (!at) return "";
  const seconds = Math.max(0, (serverTime.now() - Date.parse(at)) / 1000);
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} d`;
}

// ---- The picture

let picture = null;
let nodes = new Map();
let arrows = new Map();
let scale = 1;
const mostPulses = 40;

let hasBegun = false;    // True if there was something to draw
let staleDrawing = true; // True if it has to be drawn when it is looked at

const graphNames = () => [...new Set([...listed.keys()].map(graphOf))].filter((graph) => graph !== "signalbox");

let foldsChains = sessionStorage.getItem("signalbox-chains") === "folded";

// The way of an explanation leads through each signal of a chain.
const isFolding = () => foldsChains && !findWay;

async function drawGraphs() {
  const names = graphNames();
  staleDrawing = false;
  const shown = names.filter((graph) => !folded.has(graph));
  const query = [
    ...(shown.length === names.length ? [] : shown.map((name) => `only=${encodeURIComponent(name)}`)),
    ...(isFolding() ? ["fold=chains"] : []),
  ].join("&");
  const isFirst = !hasBegun;
  $("drawing-problem").textContent = "";
  try {
    const text = shown.length ? await (await ask(query ? `graph.svg?${query}` : "graph.svg")).text() : "<svg xmlns='http://www.w3.org/2000/svg'/>";
    picture = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  } catch (problem) {
    picture = null;
    $("drawing-problem").textContent = `There is no picture: ${problem.message}`;
  }
  $("canvas").replaceChildren(...(picture ? [picture] : []));
  index();
  hasBegun = nodes.size > 0;
  measure();
  for (const name of signals.keys()) draw(name, false);
  zoom(isFirst ? 1 : scale);
  if (!isFirst && !findWay) fitAgain();
  search();
  if (isFirst && !findWay) begin();
  if (findWay) way = findWay();
  markWay();
}

const leastScale = 8 / 11; // The scale down to which a drawing begins, so that operators can be read

// Begins with the graph of what demands attention, or else of what came last.
function begin() {
  const names = [...nodes.keys()];
  const last = names.filter((name) => signals.get(name)?.at).sort((one, other) => (signals.get(one).at < signals.get(other).at ? 1 : -1));
  const active = names.find((name) => levelOf(name)) ?? last[0];
  lookAt(names, leastScale);
  if (!active) return;
  lookAt(names.filter((name) => graphOf(name) === graphOf(active)), leastScale);
  if (!isInside(layouts.get(active))) lookAt([active], leastScale);
}

const isInside = ({ x, y, width, height }) => x * scale >= $("canvas").scrollLeft && y * scale >= $("canvas").scrollTop
  && (x + width) * scale <= $("canvas").scrollLeft + $("canvas").clientWidth && (y + height) * scale <= $("canvas").scrollTop + $("canvas").clientHeight;

// Brings nodes into the middle, smaller if they need it.
function lookAt(names, least = 0.4) {
  const boxes = names.map((name) => layouts.get(name)).filter((box) => box);
  if (!boxes.length) return;
  const canvas = $("canvas");
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...boxes.map(({ x, width }) => x + width)), Math.max(...boxes.map(({ y, height }) => y + height))];
  const margin = 40;
  const fitting = Math.min(canvas.clientWidth / (right - left + 2 * margin), canvas.clientHeight / (bottom - top + 2 * margin));
  if (fitting < scale) zoom(Math.min(scale, Math.max(least, fitting)));
  canvas.scrollTo(((left + right) / 2) * scale - canvas.clientWidth / 2, ((top + bottom) / 2) * scale - canvas.clientHeight / 2);
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
    node.addEventListener("click", () => follow(name));
    node.addEventListener("keydown", (key) => { if (key.key === "Enter") follow(name); });
  }
  for (const arrow of picture?.querySelectorAll("path[data-from]") ?? []) {
    const from = arrow.dataset.from;
    arrows.set(from, [...(arrows.get(from) ?? []), arrow]);
  }
}

// ---- The way of an explanation through the drawing

let way = null;        // {values: name → {seq, text}, arrows: "from to", stops: where it ended} of what is explained
let findWay = null;    // Finds it, again in another drawing
let scaleBefore = null; // The scale of the drawing before it showed the way
let isWayAwaited = false; // True if the drawing has to show it once it is there

const ownerOf = (node) => node.split("/")[0]; // A join and an inline signal belong to the signal before the /
const arrowKey = (from, to) => `${from} ${to}`;

// The signals that a value came from, each with its newest value on the way, as the explanation tells them.
function wayOf({ why }) {
  const found = { values: new Map(), arrows: new Set(), stops: new Set() };
  const visit = (node, to) => {
    const isSignal = node.kind === "signal";
    if (isSignal && !found.values.has(node.signal)) {
      const text = "value" in node ? withUnit(node.signal, valueShown(node.signal, node.value, 28)) : node.event ?? "";
      found.values.set(node.signal, { seq: node.seq, text });
    }
    if (isSignal && to && to !== node.signal) found.arrows.add(arrowKey(node.signal, to));
    const next = node.signal && node.kind !== "entry" ? node.signal : to;
    for (const cause of node.given ?? []) visit(cause, next);
    for (const { origin } of node.read ?? []) if (origin) visit(origin, next);
  };
  visit(why, null);
  return found;
}

// The ways from inputs to the operators that emitted nothing: all arrows that lead from one to the other.
function wayOfSilence({ turns }) {
  const found = { values: new Map(), arrows: new Set(), stops: new Set() };
  const reached = (start, next) => {
    const seen = new Set([start]);
    for (const name of seen) for (const other of next.get(name) ?? []) seen.add(other);
    return seen;
  };
  const [down, up] = [new Map(), new Map()];
  for (const each of [...arrows.values()].flat()) {
    const [from, to] = [ownerOf(each.dataset.from), ownerOf(each.dataset.to)];
    down.set(from, [...(down.get(from) ?? []), to]);
    up.set(to, [...(up.get(to) ?? []), from]);
  }
  for (const { signal, stops } of turns) {
    for (const stop of stops) {
      found.stops.add(stop.signal);
      const [below, above] = [signal ? reached(signal, down) : new Set([stop.signal]), reached(stop.signal, up)];
      const passed = [...below].filter((name) => above.has(name));
      for (const name of [...passed, stop.signal]) found.values.set(name, { text: name === stop.signal ? `✕ ${shortened(JSON.stringify(stop.given) ?? "", 24)}` : "" });
      for (const from of passed) for (const to of down.get(from) ?? []) if (passed.includes(to)) found.arrows.add(arrowKey(from, to));
    }
  }
  return found;
}

// Shows what is explained, and pales everything else.
function markWay() {
  picture?.toggleAttribute("data-way", way !== null);
  for (const [id, node] of nodes) {
    node.toggleAttribute("data-on-way", Boolean(way?.values.has(ownerOf(id))));
    node.toggleAttribute("data-stop", Boolean(way?.stops.has(id)));
    undrawn.add(id);
  }
  const labels = picture?.querySelectorAll("text[data-from]") ?? [];
  for (const arrow of [...arrows.values(), ...labels].flat()) {
    const [from, to] = [ownerOf(arrow.dataset.from), ownerOf(arrow.dataset.to)];
    arrow.toggleAttribute("data-on-way", Boolean(way && (from === to ? way.values.has(to) : way.arrows.has(arrowKey(from, to)))));
  }
  document.body.toggleAttribute("data-way", way !== null && !$("drawing").hidden);
  if (way && isWayAwaited && picture && !$("drawing").hidden) {
    isWayAwaited = false;
    lookAtWay();
  }
  drawSeen();
}

function lookAtWay() {
  scaleBefore ??= scale;
  if (scale < scaleBefore) zoom(scaleBefore);
  lookAt([...nodes.keys()].filter((id) => way.values.has(ownerOf(id))));
}

function setWay(find) {
  if (!find && !way) return;
  const wasFolding = isFolding();
  findWay = find;
  way = find?.() ?? null;
  isWayAwaited = way !== null;
  markWay();
  if (isFolding() !== wasFolding) drawAgain();
  if (way || scaleBefore === null) return;
  if (picture && !$("drawing").hidden) zoom(scaleBefore);
  scaleBefore = null;
}

// Shows the way in the drawing, with the graphs that it leads through.
function showWay() {
  const graphs = [...way.values.keys()].map(graphOf).filter((graph) => folded.has(graph));
  for (const graph of new Set(graphs)) toggleGraph(graph);
  isWayAwaited = true;
  // One that is not drawn yet is marked as soon as it is.
  const isDrawn = !staleDrawing;
  showTab("drawing");
  if (isDrawn) markWay();
  $("why").scrollIntoView();
}

// Opens a signal; one on the way of an explanation with its own part of the way.
async function follow(name) {
  const { seq } = way?.values.get(name) ?? {};
  const isFollowed = seq !== undefined && name !== selected;
  await select(name);
  if (isFollowed && selected === name && explains) explain(whyValue(seq));
}

const undrawn = new Set(); // Nodes that do not show the newest yet

function draw(name, pulsing) {
  undrawn.add(name);
  if (pulsing && !$("drawing").hidden && isSeen(name)) pulse(name);
}

// The part of the drawing that is in sight, with a margin, in its own units.
let sight = { left: 0, top: 0, right: 0, bottom: 0 };

function lookAround() {
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = $("canvas");
  const margin = 100;
  sight = {
    left: (scrollLeft - margin) / scale, top: (scrollTop - margin) / scale,
    right: (scrollLeft + clientWidth + margin) / scale, bottom: (scrollTop + clientHeight + margin) / scale,
  };
}

function isSeen(name) {
  const box = layouts.get(name);
  return box && box.x < sight.right && box.x + box.width > sight.left && box.y < sight.bottom && box.y + box.height > sight.top;
}

let seen = new Set(); // The nodes that were in sight when it was drawn

// Only what is in sight is drawn, some times a second; the rest when it comes into sight.
function drawSeen(isMoving = false) {
  if ($("drawing").hidden || !picture) return;
  lookAround();
  const before = seen;
  seen = new Set();
  for (const name of layouts.keys()) {
    if (!isSeen(name)) continue;
    seen.add(name);
    if (!isMoving || !before.has(name)) showDetail(name);
  }
  for (const name of undrawn) {
    if (layouts.has(name) && (!seen.has(name) || (isMoving && before.has(name)))) continue;
    undrawn.delete(name);
    drawNode(name);
  }
}

function drawNode(name) {
  const signal = signals.get(name);
  const node = nodes.get(name);
  if (!signal) return;
  if (node) {
    node.toggleAttribute("data-failed", signal.ended === "failed");
    node.toggleAttribute("data-ended", Boolean(signal.ended));
    const level = levelOf(name);
    if (level) node.dataset.level = level; else delete node.dataset.level;
    node.toggleAttribute("data-selected", name === selected);
    let label = node.querySelector(".value");
    if (!label) {
      label = document.createElementNS("http://www.w3.org/2000/svg", "text");
      label.classList.add("value");
      node.append(label);
      placeValue(name);
    }
    // On the way of an explanation stands the value that it is about.
    const passing = way?.values.get(name);
    const text = passing ? passing.text : fittedText(name);
    if (label.textContent !== text) label.textContent = text;
    const spoken = [text ? `${name}: ${text}` : name, ...(level ? [level] : [])].join(", ");
    if (node.getAttribute("aria-label") !== spoken) node.setAttribute("aria-label", spoken);
  }
}

// The value as far as there is room at its node: without its unit, or with an exponent, if a number needs that.
function fittedText(name) {
  const text = withUnit(name, textOf(name, 28));
  const { width } = layouts.get(name) ?? {};
  if (width === undefined) return text;
  const isWithin = detail === "names";
  const most = Math.floor((isWithin ? width - 4 : width + columnGap) / (letterWidth * letters));
  // Small nodes are without units, all alike.
  if (text.length <= most && !(isWithin && most < smallNode)) return text;
  const { value, ended } = signals.get(name);
  if (ended || Number.isNaN(numberOf(value))) return shortened(text, Math.max(isWithin ? 3 : 8, most));
  const number = textOf(name);
  const ways = [number, numberOf(value).toPrecision(3).replace(/\.?0+$|\.?0+(?=e)/, ""), numberOf(value).toExponential(1).replace("e+", "e"), numberOf(value).toExponential(0).replace("e+", "e")];
  return ways.find((way) => way.length <= most) ?? ways.reduce((one, other) => (other.length < one.length ? other : one));
}

// ---- Pulses: dots along the arrows, on a canvas of their own above the drawing, which is not painted again for them

const pulseTime = 400;
const courseSteps = 16;
let courses = new WeakMap(); // arrow → points along it, in units of the drawing
let pulses = [];             // [{course, begin}, …]

function courseOf(arrow) {
  let course = courses.get(arrow);
  if (!course) {
    const length = arrow.getTotalLength();
    course = Array.from({ length: courseSteps + 1 }, (_, step) => arrow.getPointAtLength((length * step) / courseSteps));
    courses.set(arrow, course);
  }
  return course;
}

function pulse(name) {
  if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const arrow of arrows.get(name) ?? []) {
    if (pulses.length >= mostPulses) return;
    pulses.push({ course: courseOf(arrow), begin: performance.now() });
    if (pulses.length === 1) requestAnimationFrame(drawPulses);
  }
}

function drawPulses(now) {
  const [canvas, layer] = [$("canvas"), $("pulses")];
  const sharpness = devicePixelRatio;
  const [width, height] = [Math.round(canvas.clientWidth * sharpness), Math.round(canvas.clientHeight * sharpness)];
  // A canvas that gets a size is cleared.
  if (layer.width !== width || layer.height !== height) {
    Object.assign(layer, { width, height });
    layer.style.width = `${canvas.clientWidth}px`;
    layer.style.height = `${canvas.clientHeight}px`;
  }
  const paint = layer.getContext("2d");
  paint.clearRect(0, 0, width, height);
  pulses = $("drawing").hidden ? [] : pulses.filter(({ begin }) => now - begin < pulseTime);
  if (!pulses.length) return;
  const { scrollLeft, scrollTop } = canvas;
  paint.fillStyle = getComputedStyle(layer).color;
  for (const { course, begin } of pulses) {
    const place = Math.max(0, (now - begin) / pulseTime) * courseSteps;
    const [from, to, part] = [course[Math.floor(place)], course[Math.min(courseSteps, Math.floor(place) + 1)], place % 1];
    const x = (from.x + (to.x - from.x) * part) * scale - scrollLeft;
    const y = (from.y + (to.y - from.y) * part) * scale - scrollTop;
    paint.beginPath();
    paint.arc(x * sharpness, y * sharpness, Math.max(2.5, 4 * scale) * sharpness, 0, 2 * Math.PI);
    paint.fill();
  }
  requestAnimationFrame(drawPulses);
}

const leastText = 11; // The smallest size of text in pixels
const valueText = 11;

// Keeps the place in the middle of the canvas, or the one under the pointer.
function zoom(to, across = $("canvas").clientWidth / 2, down = $("canvas").clientHeight / 2) {
  const before = scale;
  scale = Math.min(4, Math.max(0.1, to));
  if (!picture) return;
  const canvas = $("canvas");
  const [left, top] = [canvas.scrollLeft + across, canvas.scrollTop + down];
  const box = picture.viewBox.baseVal;
  picture.setAttribute("width", box.width * scale);
  picture.setAttribute("height", box.height * scale);
  canvas.scrollTo(left * (scale / before) - across, top * (scale / before) - down);
  chooseDetail();
  drawSeen();
  drawMap();
}

// ---- What the drawing tells at each scale: names and values, then operators too, then their parameters as well

const pictureText = 11; // The size of its text, in its own units
const letterWidth = 6.7; // The width of its letters
const rowGap = 14;       // The least room below a node, which its value has
const columnGap = 24;    // The least room beside one
const smallNode = 10;    // The letters that a node without room for units has
const capital = 0.73;    // The height of digits and capitals, of the size of a text
const detailOf = (at) => (at * pictureText >= leastText ? "parameters" : at * pictureText >= 8 ? "operators" : "names");
let detail = "parameters";
let letters = 1; // How much larger text is than in the picture, in its units

// Text never gets smaller than it can be read: there is less of it instead.
function chooseDetail() {
  detail = detailOf(scale);
  letters = Math.max(1, leastText / (pictureText * scale));
  picture.dataset.detail = detail;
  picture.style.setProperty("--text", `${(pictureText * letters).toFixed(2)}px`);
  picture.style.setProperty("--value", `${Math.max(valueText, leastText / scale).toFixed(2)}px`);
}

function showDetail(name) {
  const box = layouts.get(name);
  const { rows, middle, height, width } = box;
  const isSignal = nodes.get(name).querySelector(".value");
  const state = `${detail} ${letters} ${isSignal !== null}`;
  if (box.state === state) return;
  box.state = state;
  undrawn.add(name);
  const isWhole = detail === "parameters";
  const most = Math.max(3, Math.floor(width / (letterWidth * letters)));
  const size = pictureText * letters * 1.35;
  const shown = detail === "names" ? 1 : Math.min(rows.length, Math.max(1, Math.floor(height / size)));
  rows.forEach(({ text, full, y }, index) => {
    const words = isWhole ? full : shortened(index === 0 ? full : full.split(":")[0], most);
    if (text.textContent !== words) text.textContent = words;
    text.toggleAttribute("hidden", !isWhole && index >= shown);
    const place = middle + (index - (shown - 1) / 2) * size + (detail === "names" && isSignal ? -size * 0.11 : size / 4);
    text.setAttribute("y", isWhole ? y : place.toFixed(1));
  });
  if (isSignal) placeValue(name);
}

const layouts = new Map(); // node → {rows, middle, height, width, …}: its texts, and its frame

function measure() {
  layouts.clear();
  for (const [name, node] of nodes) {
    const { x, y, width, height } = node.querySelector("path").getBBox();
    const rows = [...node.querySelectorAll("text:not(.value)")].map((text) => ({ text, full: text.textContent, y: Number(text.getAttribute("y")) }));
    layouts.set(name, { rows, x, y, width, height, middle: y + height / 2 });
  }
}

// The value is below its node, and within it while there are only names.
function placeValue(name) {
  const { x, y, width, height, middle } = layouts.get(name);
  const label = nodes.get(name).querySelector(".value");
  const isWithin = detailOf(scale) === "names";
  const size = Math.max(valueText, leastText / scale);
  label.setAttribute("x", x + width / 2);
  label.setAttribute("y", (isWithin ? middle + size * 0.84 : y + height + (rowGap + capital * size) / 2 - 0.6).toFixed(1));
  label.setAttribute("text-anchor", "middle");
}

// ---- The map in the corner, while there is more than can be seen

let frame = null;

function drawMap() {
  const [map, canvas] = [$("map"), $("canvas")];
  const box = picture?.viewBox.baseVal;
  map.toggleAttribute("hidden", !box || (canvas.scrollWidth <= canvas.clientWidth + 1 && canvas.scrollHeight <= canvas.clientHeight + 1));
  if (map.hasAttribute("hidden")) return;
  const size = Math.min(180 / box.width, 140 / box.height);
  map.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
  map.setAttribute("width", Math.max(24, box.width * size));
  map.setAttribute("height", Math.max(24, box.height * size));
  const state = `${layouts.size} ${box.height} ${arrangement}`;
  if (map.dataset.of !== state) {
    map.dataset.of = state;
    const outlines = { plain: "", info: "", warning: "", critical: "", failed: "" };
    for (const [name, { x, y, width, height }] of layouts) outlines[levelOf(name) ?? "plain"] += `M${x} ${y}h${width}v${height}h${-width}z`;
    frame = drawn("rect", { class: "frame" });
    map.replaceChildren(...Object.entries(outlines).map(([kind, d]) => drawn("path", { class: kind, d })), frame);
  }
  moveFrame();
}

function moveFrame() {
  const canvas = $("canvas");
  for (const [key, value] of Object.entries({
    x: canvas.scrollLeft / scale, y: canvas.scrollTop / scale, width: canvas.clientWidth / scale, height: canvas.clientHeight / scale,
  })) frame?.setAttribute(key, value.toFixed(1));
}

$("canvas").addEventListener("scroll", () => {
  moveFrame();
  drawSeen(true);
}, { passive: true });
$("canvas").addEventListener("wheel", (wheel) => {
  if (!wheel.ctrlKey) return;
  wheel.preventDefault();
  const { left, top } = $("canvas").getBoundingClientRect();
  zoomByHand(scale * 0.998 ** wheel.deltaY, wheel.clientX - left, wheel.clientY - top);
}, { passive: false });

function look({ clientX, clientY, buttons, type }) {
  if (type === "pointermove" && !buttons) return;
  const { left, top, width, height } = $("map").getBoundingClientRect();
  const [canvas, box] = [$("canvas"), picture.viewBox.baseVal];
  canvas.scrollTo(
    ((clientX - left) / width) * box.width * scale - canvas.clientWidth / 2,
    ((clientY - top) / height) * box.height * scale - canvas.clientHeight / 2);
}
$("map").addEventListener("pointerdown", look);
$("map").addEventListener("pointermove", look);
addEventListener("resize", () => {
  if ($("drawing").hidden) return;
  if (way) lookAtWay();
  drawMap();
});

function fit() {
  const box = picture?.viewBox.baseVal;
  if (!box?.width) return;
  // One that is too high is not enlarged. The second time, the scroll bar that came with it is known.
  for (let time = 0; time < 2; time += 1) {
    const { clientWidth, clientHeight } = $("canvas");
    zoom(Math.min(1.5, (clientWidth - 4) / box.width, Math.max(1, (clientHeight - 4) / box.height)));
  }
  isFitted = true;
}

let isFitted = false; // True if the drawing fills the width, until the scale is changed by hand

function zoomByHand(to, across, down) {
  isFitted = false;
  zoom(to, across, down);
}

// After another choice of signals the drawing may be smaller: it is enlarged to what it had room for.
function fitAgain() {
  const [box, canvas] = [picture?.viewBox.baseVal, $("canvas")];
  if (!box?.width) return;
  if (isFitted) return fit();
  const fitting = Math.min(canvas.clientWidth / box.width, canvas.clientHeight / box.height);
  if (scale < 1 && fitting > scale) zoom(Math.min(1, fitting));
}

// The rest of the page fits the room that the header leaves, however many rows of tabs it has.
new ResizeObserver(() => document.body.style.setProperty("--bar", `${$("bar").offsetHeight}px`)).observe($("bar"));

function showGraphs() {
  $("graphs").replaceChildren(...graphNames().map((name) => {
    const box = element("input", { type: "checkbox", checked: !folded.has(name) });
    box.addEventListener("change", () => toggleGraph(name));
    const label = document.createElement("label");
    label.append(box, ` ${name}`);
    return label;
  }));
  for (const [graph, { open }] of groups) open.setAttribute("aria-expanded", !folded.has(graph));
}

function foldChains(folds) {
  foldsChains = folds;
  sessionStorage.setItem("signalbox-chains", folds ? "folded" : "");
  drawAgain();
}

$("chains").checked = foldsChains;
$("chains").addEventListener("change", () => foldChains($("chains").checked));

// ---- The overview

const cards = new Map();  // name → {item, open, age, badge, number, unit, spark, shown}

// ---- Actions: their four signals are one card

const actionParts = ["values", "errors", "executing", "enabled"];
const actionOf = (name) => (listed.get(name)?.kind === "action" ? name.slice(0, name.lastIndexOf(".")) : null);
const partsOf = (action) => actionParts.map((part) => `${action}.${part}`).filter((name) => listed.has(name));

// The signal whose card shows a signal: the first one of its action, otherwise itself.
function cardOf(name) {
  const action = actionOf(name);
  return action === null ? name : partsOf(action)[0];
}

// The last result of an action: its newest value, or what a call from its card has answered, or its newest error in words.
function resultOf({ action, answer }) {
  const known = signals.get(`${action}.values`);
  const value = answer && !(known?.at >= answer.at) ? answer : known;
  const error = signals.get(`${action}.errors`);
  if (error?.value === undefined || (value?.at && value.at > error.at)) return value;
  const { code, message, status } = error.value ?? {};
  const text = [code, message ?? (status === undefined ? undefined : `status ${status}`)].filter((part) => part !== undefined).join(": ");
  return { ...error, value: text || error.value, isError: true };
}

function makeCall(card) {
  const { action } = card;
  card.call = element("button", { type: "button", textContent: "Call", title: `Calls ${action} without a value` });
  card.call.setAttribute("aria-label", `Call ${shortName(action)}`);
  card.note = element("span", { className: "told" });
  card.call.addEventListener("click", async (press) => {
    press.stopPropagation();
    Object.assign(card, { isCalling: true, problem: "" });
    showAction(card);
    try {
      const answer = await ask(`actions/${encodeURIComponent(action)}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "" });
      const { outputs } = parse(await answer.text());
      if (outputs.length) card.answer = { value: outputs[outputs.length - 1], at: new Date(serverTime.now()).toISOString() };
    } catch (problem) {
      card.problem = problem.status ? problem.message : "The gateway does not answer.";
    }
    card.isCalling = false;
    showAction(card);
  });
  card.item.dataset.action = "";
  card.spark.remove();
  card.item.append(element("div", { className: "act" }, [card.call, card.note]));
}

function showAction(card) {
  const { action, call, note } = card;
  const isDisabled = signals.get(`${action}.enabled`)?.value === false;
  const isRunning = card.isCalling || signals.get(`${action}.executing`)?.value === true;
  call.hidden = !partsOf(action).some((name) => listed.get(name).call);
  call.disabled = card.isCalling || isDisabled || $("state").dataset.state !== "connected";
  const text = isRunning ? "running…" : isDisabled ? "not enabled" : resultOf(card)?.isError ? "" : card.problem ?? "";
  if (note.textContent !== text) note.textContent = text;
  note.toggleAttribute("data-problem", text !== "" && text === card.problem);
}

const groups = new Map(); // graph → {section, open, grid}
const alarms = { section: element("section", { className: "group alarms", hidden: true }), grid: element("ul", { className: "grid" }) };
alarms.section.setAttribute("aria-label", "What demands attention");
alarms.section.append(element("h2", { textContent: "Attention" }), alarms.grid);
let arrangement = "";

// Cards in sight are written each time; of the others one in eight, in turns, so that search and readers find them.
const outOfSight = 8;
let round = 0;
const sightings = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const name = target.dataset.signal;
    const card = cards.get(name);
    if (!card || card.item !== target) continue;
    card.isSeen = isIntersecting;
    if (isIntersecting && !$("signals").hidden) showCard(name, card, signals.get(name), rate(signals.get(name) ?? {}));
  }
}, { rootMargin: "200px" });

// All cards are equally wide, and a container for each would cost more.
new ResizeObserver(() => {
  const card = [...cards.values()].find(({ item }) => item.clientWidth > 0)?.item;
  if (card) $("cards").style.setProperty("--room", `${card.clientWidth - 2 * parseFloat(getComputedStyle(card).paddingLeft)}px`);
}).observe($("cards"));

function makeCard(name) {
  const open = element("button", { className: "open", title: name });
  open.dataset.name = name;
  const parts = {
    item: element("li", { className: "card" }), open, age: element("span", { className: "age" }),
    badge: element("span", { className: "badge", hidden: true }), number: element("span", { className: "number", dir: "auto" }),
    unit: element("span", { className: "unit" }), spark: drawn("svg", { class: "spark", "aria-hidden": "true" }), shown: {},
  };
  parts.item.dataset.signal = name;
  sightings.observe(parts.item);
  parts.item.append(
    element("div", { className: "head" }, [open, parts.badge, parts.age]),
    element("div", { className: "reading" }, [parts.number, parts.unit]), parts.spark);
  parts.action = actionOf(name);
  if (parts.action !== null) makeCall(parts);
  // The whole card opens the signal, unless text of it was being marked.
  parts.item.addEventListener("click", () => { if (getSelection().isCollapsed) select(name); });
  return parts;
}

function drawn(tag, attributes = {}, children = []) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function makeGroup(graph) {
  const open = element("button", { type: "button", textContent: graph });
  open.setAttribute("aria-expanded", !folded.has(graph));
  open.addEventListener("click", () => toggleGraph(graph));
  const grid = element("ul", { className: "grid" });
  const section = element("section", { className: "group" }, [element("h2", {}, [open]), grid]);
  section.setAttribute("aria-label", graph);
  return { section, open, grid };
}

function showList() {
  for (const [name, { item }] of [...cards]) {
    if (listed.has(name) && cardOf(name) === name) continue;
    sightings.unobserve(item);
    cards.delete(name);
  }
  for (const name of listed.keys()) if (!cards.has(name) && cardOf(name) === name) cards.set(name, makeCard(name));
  // The daemon's own graph comes last.
  const names = graphNames().concat([...listed.keys()].some((name) => graphOf(name) === "signalbox") ? ["signalbox"] : []);
  for (const graph of [...groups.keys()]) if (!names.includes(graph)) groups.delete(graph);
  for (const graph of names) if (!groups.has(graph)) groups.set(graph, makeGroup(graph));
  $("cards").replaceChildren(alarms.section, ...names.map((graph) => groups.get(graph).section));
  arrangement = "";
  showGraphs();
  refresh();
  search();
}

// Puts what demands attention first, and each other signal into its graph.
function arrange() {
  const levelOfCard = (name, { action }) => (action === null ? levelOf(name)
    : partsOf(action).map(levelOf).sort((one, other) => levels.indexOf(other) - levels.indexOf(one))[0]);
  const active = [...cards].map(([name, card]) => ({ name, level: levelOfCard(name, card) })).filter(({ level }) => level)
    .sort((one, other) => levels.indexOf(other.level) - levels.indexOf(one.level));
  showAlarms(active);
  const state = [...active.map(({ name, level }) => `${name} ${level}`), listed.size].join();
  if (state === arrangement) return;
  arrangement = state;
  for (const { name } of active) undrawn.add(name);
  for (const name of nodes.keys()) if (nodes.get(name).dataset.level) undrawn.add(name);
  if (!$("drawing").hidden) drawMap();
  const focused = document.activeElement;
  const isActive = new Map(active.map(({ name, level }) => [name, level]));
  alarms.grid.replaceChildren(...active.map(({ name }) => cards.get(name).item));
  alarms.section.hidden = active.length === 0;
  const byGraph = new Map([...groups.keys()].map((graph) => [graph, []]));
  for (const [name, card] of cards) {
    const level = isActive.get(name);
    if (level) card.item.dataset.level = level; else delete card.item.dataset.level;
    card.badge.textContent = level ?? "";
    card.badge.hidden = !level;
    const title = card.action ?? name;
    showName(card.open, level ? title : shortName(title));
    card.open.title = [title, listed.get(name)?.doc].filter(Boolean).join("\n");
    if (!level) byGraph.get(graphOf(name)).push(card.item);
  }
  for (const [graph, items] of byGraph) groups.get(graph).grid.replaceChildren(...items);
  if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  search();
}

// Text is written some times a second, however often values come, and only where it is another one.
function refresh() {
  judge();
  arrange();
  drawSeen();
  let total = 0;
  let index = 0;
  round += 1;
  for (const [name, card] of cards) {
    index += 1;
    const signal = signals.get(name);
    const perSecond = signal ? rate(signal) : 0;
    total += perSecond;
    const isDue = card.isSeen || (index + round) % outOfSight === 0;
    if (isDue && !card.item.hidden && !$("signals").hidden) showCard(name, card, signal, perSecond);
  }
  showNeighbours();
  showLatest();
  if (openView !== null) showTiles();
  if (selected) {
    showHistory();
    refreshFacts();
  }
  $("rate").textContent = `${total.toFixed(total > 0 && total < 10 ? 1 : 0)} values/s`;
  const held = [...waiting.values()].reduce((sum, { since }) => sum + since, 0);
  $("passed").textContent = isFrozen ? `${held} since` : passed ? `${passed} not drawn` : "";
}

function showCard(name, card, given, perSecond) {
  const signal = card.action ? resultOf(card) : given;
  const write = (part, text) => {
    if (card.shown[part] === text) return;
    card.shown[part] = text;
    card[part].textContent = text;
  };
  const hasValue = signal?.value !== undefined && !signal.ended;
  const age = perSecond >= 1 ? `${perSecond.toFixed(0)}/s` : ageOf(name, signal);
  const troubles = card.action ? partsOf(card.action).flatMap(troublesOf) : troublesOf(name);
  write("age", [...troubles.filter(({ isLastError }) => !(isLastError && signal?.ended)).map(({ words }) => words), ...(age ? [age] : [])].join(" · "));
  card.age.title = troubles.map(({ text }) => text).join("\n");
  const full = hasValue ? JSON.stringify(signal.value) : "";
  const text = (card.words && typeof signal?.value === "boolean" && !signal.ended ? wordOf(signal.value)
    : card.action ? (hasValue ? valueShown(name, signal.value, 80) : signal?.ended ?? "") : textOf(name, 80)) || (hasValue ? "empty" : "–");
  if (card.shown.full !== full || card.shown.number !== text) {
    card.shown.full = full;
    const value = signal?.value;
    card.number.title = shortened(full, 2000);
    card.number.dataset.full = typeof value === "string" ? value : full;
    card.number.dataset.kind = !hasValue || value === null || value === "" ? "none" : typeof value === "boolean" ? String(value)
      : !Number.isNaN(numberOf(value)) ? "number" : typeof value === "string" && value.length <= 24 ? "word" : "text";
  }
  write("number", text);
  const unit = hasValue && !Number.isNaN(numberOf(signal.value)) ? listed.get(name)?.unit ?? "" : "";
  write("unit", unit);
  // A number is as large as there is room for all of it.
  const room = `${text.length} ${unit.length}`;
  if (card.shown.room !== room) {
    card.shown.room = room;
    const { style } = card.number.parentElement;
    style.setProperty("--length", Math.max(1, text.length));
    style.setProperty("--unit-length", unit.length);
  }
  card.item.toggleAttribute("data-ended", Boolean(signal?.ended));
  card.item.toggleAttribute("data-selected", selected !== null && name === cardOf(selected));
  if (!card.action) return drawSpark(name, card);
  card.number.toggleAttribute("data-error", signal?.isError === true);
  showAction(card);
}

// ---- Spark lines: the last ten minutes at most, the lowest, the highest and the last value of each interval

const sparks = new Map(); // name → {width, buckets: [{bucket, low, high, last}, …]}, where each is {number, sample: {at, value, seq}}
const sparkSteps = 120;
const finestSpark = 312.5; // The intervals, in milliseconds: they are doubled when there are too many
const widestSpark = 5000;
const shortestSpark = 15e3;

function noteSpark(name, { at, value, seq }) {
  const number = plotted(value);
  if (Number.isNaN(number) || !at) return;
  const spark = sparks.get(name) ?? { width: finestSpark, buckets: [] };
  sparks.set(name, spark);
  const last = spark.buckets[spark.buckets.length - 1];
  if (last && seq !== undefined && last.last.sample.seq === seq) return;
  const point = { number, sample: { at: Date.parse(at), value, seq } };
  addTo(spark.buckets, { bucket: Math.floor(point.sample.at / spark.width), low: point, high: point, last: point });
  if (spark.buckets.length <= sparkSteps) return;
  if (spark.width === widestSpark) return void spark.buckets.shift();
  spark.width *= 2;
  const finer = spark.buckets;
  spark.buckets = [];
  for (const each of finer) addTo(spark.buckets, { ...each, bucket: Math.floor(each.bucket / 2) });
}

function addTo(buckets, { bucket, low, high, last }) {
  const newest = buckets[buckets.length - 1];
  if (!newest || newest.bucket < bucket) return buckets.push({ bucket, low, high, last });
  if (low.number < newest.low.number) newest.low = low;
  if (high.number > newest.high.number) newest.high = high;
  newest.last = last;
}

// The values of a signal that the page has seen, in their order.
const seenOf = (name) => (sparks.get(name)?.buckets ?? []).flatMap(({ low, high, last }) =>
  [...new Set([low, high, last])].map(({ sample }) => sample).sort((one, other) => one.at - other.at || one.seq - other.seq));

// Loads the retained values of all signals, those of the last two minutes as closely as they come; if that is too much for
// one answer, spark lines begin now.
async function loadSparks() {
  const many = Math.max(1, listed.size);
  // Of an interval there are up to three values.
  const few = Math.max(10, Math.min(sparkSteps, Math.floor(5000 / many)));
  const load = async (history, step) => (await ask(`values?history=${history}m&step=${step}ms&extremes=true`)).json();
  const closely = Math.max(200, Math.ceil((120e3 * many) / 5000));
  try {
    const rows = await load(10, Math.ceil((widestSpark * sparkSteps) / few));
    const latest = closely < widestSpark / 2 ? await load(2, closely) : [];
    const bySignal = new Map();
    for (const row of rows.concat(latest)) {
      if (!bySignal.has(row.signal)) bySignal.set(row.signal, []);
      bySignal.get(row.signal).push(row);
    }
    sparks.clear();
    for (const [name, values] of bySignal) {
      values.sort((one, other) => one.seq - other.seq);
      for (const { time, value, seq } of values) noteSpark(name, { at: time, value, seq });
    }
    for (const card of cards.values()) card.shown.spark = null;
  } catch (problem) {
    if (problem.status === 401) throw problem;
  }
}

function drawSpark(name, card) {
  const { width, buckets } = sparks.get(name) ?? { buckets: [] };
  const now = serverTime.now();
  // With many cards each is drawn less often.
  const pace = Math.min(5000, Math.max(1000, 20 * cards.size));
  const isFlat = buckets.length < 2 && buckets[0]?.low.number === buckets[0]?.high.number;
  const state = isFlat ? "" : `${Math.floor(now / pace)} ${signals.get(name)?.ended ?? ""}`;
  if (card.shown.spark === state) return;
  card.shown.spark = state;
  if (!state) return card.spark.replaceChildren();
  // A signal that is younger than the period fills the card as well.
  const start = (index) => buckets[index].bucket * width;
  const length = Math.min(widestSpark * sparkSteps, Math.max(shortestSpark, now - start(0)));
  const first = now - length;
  const inside = buckets.filter((_, index) => start(index) >= first || (index + 1 < buckets.length && start(index + 1) > first));
  if (!inside.length) inside.push(buckets[buckets.length - 1]);
  const [low, high] = [Math.min(...inside.map((each) => each.low.number)), Math.max(...inside.map((each) => each.high.number))];
  if (low === high && typeof inside[0].last.sample.value === "boolean") return card.spark.replaceChildren();
  const x = (bucket) => Math.min(100, Math.max(0, ((bucket * width - first) / length) * 100)).toFixed(1);
  const y = (number) => (high > low ? 27 - ((number - low) / (high - low)) * 24 : 15).toFixed(1);
  card.spark.setAttribute("viewBox", "0 0 100 30");
  card.spark.setAttribute("preserveAspectRatio", "none");
  let line = "";
  for (const each of inside) {
    line += line ? `H${x(each.bucket)}` : `M${x(each.bucket)} ${y(each.low.number)}`;
    if (each.low.number < each.high.number) line += `V${y(each.low.number)}V${y(each.high.number)}`;
    line += `V${y(each.last.number)}`;
  }
  // The last value is on the card until the next one.
  if (!signals.get(name)?.ended) line += "H100";
  card.spark.replaceChildren(drawn("path", { d: line }));
}

function search() {
  const words = $("search").value.toLowerCase();
  let found = 0;
  for (const [name, card] of cards) {
    // Signals that demand attention are seen in a folded graph, too, and a search looks into it.
    const isOpen = isShown(name) || card.item.dataset.level || words !== "";
    const names = card.action ? partsOf(card.action) : [name];
    card.item.hidden = !isOpen || !names.some((each) => `${each} ${listed.get(each)?.doc ?? ""}`.toLowerCase().includes(words));
    if (!card.item.hidden) found += 1;
  }
  for (const { section, grid } of groups.values()) {
    section.classList.toggle("empty", ![...grid.children].some((item) => !item.hidden));
    section.hidden = words !== "" && section.classList.contains("empty");
  }
  alarms.section.hidden = ![...alarms.grid.children].some((item) => !item.hidden);
  $("none").hidden = listed.size > 0 ? found > 0 || words === "" : loads === 0;
  $("welcome").hidden = loads === 0 || listed.size === 0 || graphNames().length > 0;
  $("none").textContent = listed.size > 0 ? "No signal has that in its name or its description." : "There is no signal that this token may see.";
  $("canvas").classList.toggle("searching", words !== "");
  for (const [name, node] of nodes) {
    node.toggleAttribute("data-found", `${name} ${node.dataset.folded ?? ""}`.toLowerCase().includes(words));
  }
}

// Copying a rounded number copies the number itself.
document.addEventListener("copy", (copying) => {
  const marked = getSelection();
  const place = marked.anchorNode;
  const number = (place?.nodeType === Node.ELEMENT_NODE ? place : place?.parentElement)?.closest("[data-full]");
  if (!number?.dataset.full || marked.toString().trim() !== number.textContent) return;
  copying.clipboardData.setData("text/plain", number.dataset.full);
  copying.preventDefault();
});

// ---- Tabs

let shownTab = "overview";
const tabName = (tab) => tab.id.slice(4);
const allTabs = () => [...document.querySelectorAll("[role=tab]")];

function showTab(name) {
  shownTab = name;
  openView = name.startsWith("view-") ? name.slice(5) : null;
  $("signals").hidden = name !== "overview";
  $("drawing").hidden = name !== "drawing";
  $("view").hidden = openView === null;
  $("view").setAttribute("aria-labelledby", `tab-${name}`);
  markTab();
  document.body.dataset.tab = openView === null ? name : "view";
  if (!isKiosk) history.replaceState(null, "", name === "overview" ? location.pathname : openView === null ? `#${name}` : `#view=${openView}`);
  showView();
  document.body.toggleAttribute("data-way", way !== null && name === "drawing");
  if (name === "drawing" && staleDrawing) return drawGraphs();
  refresh();
  if (name === "drawing") drawMap();
}

// The tab of a view that a reload removed is gone: then the first one is reached by the keyboard.
function markTab() {
  const chosen = $(`tab-${shownTab}`);
  for (const tab of allTabs()) {
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === (chosen ?? $("tab-overview")) ? 0 : -1;
  }
  chosen?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function prepareTab(tab) {
  tab.addEventListener("click", () => showTab(tabName(tab)));
  tab.addEventListener("keydown", ({ key }) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const all = allTabs();
    const other = all[(all.indexOf(tab) + (key === "ArrowRight" ? 1 : all.length - 1)) % all.length];
    showTab(tabName(other));
    other.focus();
  });
  return tab;
}
allTabs().forEach(prepareTab);

// ---- Views: what the configuration shows together, each with an address of its own

let views = [];        // As the gateway lists them
let areViewsKnown = false;
let tiles = [];        // Those of the open view
let tilesMadeOf = "";
let openView = null;   // The name of the open view
const mostPlotted = 300;
const patience = 5000; // How long a control waits for the value that it has sent, in milliseconds

// A daemon of an earlier version knows none.
async function loadViews() {
  try {
    ({ views } = parse(await (await ask("views")).text()));
  } catch (problem) {
    if (problem.status !== 400) throw problem;
  }
  areViewsKnown = true;
}

function showViewTabs() {
  const state = JSON.stringify(views.map(({ name, title }) => [name, title]));
  if ($("tabs").dataset.views === state) return;
  $("tabs").dataset.views = state;
  for (const tab of $("tabs").querySelectorAll("[id^=tab-view-]")) tab.remove();
  $("tabs").append(...views.map(({ name, title }) => {
    const tab = element("button", { id: `tab-view-${name}`, role: "tab", dir: "auto", textContent: title });
    tab.setAttribute("aria-controls", "view");
    return prepareTab(tab);
  }));
  markTab();
}

// Shows the open view, or says that there is none of its name; a reload may bring it back.
function showView() {
  if (openView === null) return;
  const view = views.find(({ name }) => name === openView);
  const state = JSON.stringify([openView, view ?? areViewsKnown]);
  if (state !== tilesMadeOf) {
    tilesMadeOf = state;
    tiles = (view?.show ?? []).map(makeTile);
    $("tiles").replaceChildren(...tiles.map(({ item }) => item));
    $("view-title").textContent = view?.title ?? openView;
    $("view-doc").textContent = view?.doc ?? "";
    $("view-none").hidden = Boolean(view) || !areViewsKnown;
    $("view-none").textContent = `There is no view “${openView}”, or nothing in it that this token may see. It is shown as soon as there is.`;
  }
  for (const tile of tiles) if (tile.plot) loadPlot(tile);
  showTiles();
}

function makeTile(entry) {
  const name = entry.signal ?? entry.action ?? entry.signals[0].signal;
  const title = entry.title ?? (entry.signals ?? [{ signal: name }]).map(({ signal }) => shortName(signal)).join(", ");
  const tile = {
    entry, name, title, words: true, shown: {}, pending: null, draw: () => {}, item: element("li", { className: "tile" }),
    open: element(isKiosk || !entry.signal ? "span" : "button", { className: "open", dir: "auto", textContent: title, title: entry.signals ? title : listed.get(name)?.doc ?? name }),
    age: element("span", { className: "age" }), number: element("span", { className: "number", dir: "auto" }),
    unit: element("span", { className: "unit" }), spark: drawn("svg", { class: "spark", "aria-hidden": "true" }),
    told: element("output", { className: "told" }),
  };
  if (!isKiosk && entry.signal) tile.open.addEventListener("click", () => select(name));
  tile.item.dataset.form = entry.as;
  tile.item.dataset.name = name;
  tile.reading = element("div", { className: "reading" }, [tile.number, tile.unit]);
  tile.item.append(element("div", { className: "head" }, [tile.open, tile.age]), ...forms[entry.as](tile), tile.told);
  return tile;
}

// The parts of a tile in each form, below its title; a form that shows more than the value draws it itself.
const forms = {
  value: (tile) => [tile.reading, tile.spark],
  light(tile) {
    const lamp = element("div", { className: "lamp" });
    tile.draw = (signal) => {
      lamp.dataset.lit = signal?.ended ? "none" : String(signal?.value ?? "none");
      lamp.textContent = signal?.ended ?? wordOf(signal?.value);
    };
    return [lamp];
  },
  plot(tile) {
    const { entry } = tile;
    tile.plot = drawn("svg", { class: "curve", role: "img", "aria-label": `${tile.title} over time` });
    tile.length = entry.period * 1000;
    tile.curves = (entry.signals ?? [entry]).map(({ signal, held }) => new Curve(signal, held, tile.length));
    tile.draw = drawTilePlot;
    tile.pointed = null;
    tile.plot.addEventListener("pointermove", ({ offsetX }) => {
      tile.pointed = timeAt(tile.drawn, offsetX);
      showTilePoint(tile);
    });
    tile.plot.addEventListener("pointerleave", () => {
      tile.pointed = null;
      showTilePoint(tile);
    });
    if (!entry.signals) return [tile.reading, tile.plot];
    tile.item.dataset.several = "";
    tile.legend = legendOf(tile.curves.map(({ name }) => name), isKiosk ? null : (name) => select(name));
    return [tile.plot, tile.legend];
  },
  gauge(tile) {
    const { minimum, maximum } = tile.entry;
    const arc = { d: "M8 48A40 40 0 0 1 88 48", pathLength: 100 };
    const filled = drawn("path", { ...arc, class: "filled" });
    const ends = [[8, minimum], [88, maximum]].map(([x, end]) => drawn("text", { x, y: 59, "text-anchor": "middle" }, [numberShown(end)]));
    const meter = element("div", { className: "meter" }, [
      drawn("svg", { viewBox: "0 0 96 62", "aria-hidden": "true" }, [drawn("path", { ...arc, class: "track" }), filled, ...ends]), tile.reading]);
    for (const [key, value] of Object.entries({ role: "meter", "aria-label": tile.title, "aria-valuemin": minimum, "aria-valuemax": maximum })) {
      meter.setAttribute(key, value);
    }
    tile.draw = (signal) => {
      const part = (numberOf(signal?.value) - minimum) / (maximum - minimum);
      const shown = Number.isFinite(part) && !signal.ended ? Math.max(0, Math.min(1, part)) * 100 : 0;
      filled.setAttribute("stroke-dasharray", `${shown.toFixed(1)} 200`);
      filled.toggleAttribute("hidden", shown === 0);
      meter.setAttribute("aria-valuenow", Number.isFinite(part) ? numberOf(signal.value) : minimum);
      meter.setAttribute("aria-valuetext", withUnit(tile.name, textOf(tile.name)) || "no value");
    };
    return [meter];
  },
  toggle(tile) {
    tile.control = element("button", { type: "button", className: "toggle", role: "switch", ariaLabel: tile.title });
    tile.control.addEventListener("click", () => sendFrom(tile, JSON.stringify(signals.get(tile.name)?.value !== true)));
    tile.draw = (signal) => {
      tile.control.setAttribute("aria-checked", signal?.value === true);
      tile.control.textContent = wordOf(signal?.value);
    };
    return [tile.control];
  },
  slider(tile) {
    const { minimum: min, maximum: max, type } = tile.entry;
    const precision = listed.get(tile.name)?.precision;
    const step = type === "integer" ? 1 : 10 ** (precision !== undefined ? -precision : Math.floor(Math.log10((max - min) / 100)));
    tile.control = element("input", { type: "range", min, max, step, ariaLabel: tile.title });
    const target = element("span", { className: "target" });
    const shown = () => withUnit(tile.name, numberShown(Number(tile.control.value), precision));
    const fill = () => tile.control.style.setProperty("--part", `${((tile.control.value - min) / (max - min)) * 100}%`);
    let isMoving = false;
    tile.control.addEventListener("input", () => {
      isMoving = true;
      target.textContent = `→ ${shown()}`;
      fill();
    });
    tile.control.addEventListener("change", () => {
      isMoving = false;
      sendFrom(tile, tile.control.value);
    });
    tile.draw = (signal) => {
      // A slider that is disabled while it moves is no longer held.
      isMoving &&= !tile.control.disabled;
      if (isMoving || tile.pending) return;
      target.textContent = "";
      tile.control.value = Number.isNaN(numberOf(signal?.value)) ? min : numberOf(signal.value);
      tile.control.setAttribute("aria-valuetext", shown());
      fill();
    };
    const ends = element("div", { className: "ends" }, [min, max].map((end) => element("span", { textContent: numberShown(end) })));
    return [element("div", { className: "line" }, [tile.reading, target]), tile.control, ends];
  },
  choice(tile) {
    const texts = tile.entry.enum.map((value) => JSON.stringify(value));
    tile.control = element("select", { ariaLabel: tile.title }, tile.entry.enum.map((value) => new Option(typeof value === "string" ? value : JSON.stringify(value))));
    tile.control.addEventListener("change", () => sendFrom(tile, texts[tile.control.selectedIndex]));
    tile.draw = (signal) => {
      const index = texts.indexOf(JSON.stringify(signal?.value));
      if (!tile.pending && tile.control.selectedIndex !== index) tile.control.selectedIndex = index;
    };
    return [tile.control];
  },
  button(tile) {
    tile.control = element("button", { type: "button", className: "press", textContent: tile.title });
    tile.control.addEventListener("click", () => sendFrom(tile, "press" in tile.entry ? JSON.stringify(tile.entry.press) : ""));
    return [tile.control];
  },
  text(tile) {
    const type = typeOf(tile.entry);
    const label = labelOf(type);
    const field = fieldOf(type, { isPart: true });
    const { node } = field;
    node.ariaLabel = `${tile.title}: ${label}`;
    if (node.tagName === "INPUT") node.placeholder = hintOf(type);
    tile.control = element("button", { textContent: "Send" });
    tile.fields = [node];
    tile.item.toggleAttribute("data-parts", node.tagName === "FIELDSET");
    const form = element("form", { className: "sending", noValidate: true }, [node, tile.control]);
    const following = node.tagName === "FIELDSET" ? new Following(field) : null;
    tile.draw = (signal) => { if (!tile.pending) following?.show(signal?.value); };
    form.addEventListener("submit", async (submission) => {
      submission.preventDefault();
      try {
        const isSent = sendFrom(tile, field.read());
        field.clear();
        if (await isSent) following?.release();
      } catch (problem) {
        tell(tile, problem.message, true);
      }
    });
    return [tile.reading, form];
  },
};

const wordOf = (value) => (value === undefined || value === null ? "–" : value === true ? "on" : value === false ? "off" : shortened(JSON.stringify(value), 24));

function showTiles() {
  const view = $("state").dataset.state;
  const outage = view === "connected" ? "" : $("state").textContent;
  if ($("outage").textContent !== outage) $("outage").textContent = outage;
  $("view").toggleAttribute("data-stale", view === "disconnected");
  for (const tile of tiles) showTile(tile);
}

function showTile(tile) {
  const { entry, name, item } = tile;
  const signal = signals.get(name);
  if (entry.signal) showCard(name, tile, signal, signal ? rate(signal) : 0);
  const level = entry.signal ? levelOf(name) : null;
  if (level) item.dataset.level = level; else delete item.dataset.level;
  // A value that was sent is on the way until the signal has a value of that number.
  const { pending } = tile;
  if (pending && !pending.isCall && (signal?.seq >= pending.seq || performance.now() - pending.since > patience)) {
    tile.pending = null;
    tell(tile, signal?.seq >= pending.seq ? (entry.as === "button" ? "sent" : "") : "no value came of it");
  }
  item.toggleAttribute("data-pending", tile.pending !== null);
  if (tile.control) {
    const reason = !entry.send ? `This token may not ${entry.action ? "call" : "send"}.` : signal?.ended ? `The signal is ${signal.ended}.` : "";
    for (const control of [tile.control, ...(tile.fields ?? [])]) control.disabled = reason !== "" || $("state").dataset.state !== "connected";
    if (reason) tell(tile, reason);
  }
  tile.draw(signal, tile);
}

function tell(tile, text, isProblem = false) {
  if (tile.told.textContent !== text) tile.told.textContent = text;
  tile.told.toggleAttribute("data-problem", isProblem);
}

// Returns true once the value is accepted.
async function sendFrom(tile, body) {
  const { action, signal } = tile.entry;
  const pending = { since: performance.now(), isCall: Boolean(action) };
  tile.pending = pending;
  tell(tile, action ? "running…" : "sending…");
  showTile(tile);
  try {
    const path = action ? `actions/${encodeURIComponent(action)}` : `signals/${encodeURIComponent(signal)}`;
    const headers = { "Content-Type": "application/json" };
    const answer = await (await ask(path, { method: action ? "POST" : "PUT", headers, body })).json();
    if (tile.pending !== pending) return true;
    pending.seq = answer.seq ?? undefined;
    if (action || answer.seq === null) {
      tile.pending = null;
      tell(tile, !action ? "taken; the signal's own pipe let nothing through"
        : shortened(answer.outputs.map((output) => JSON.stringify(output)).join(" ") || "done", 200));
    }
  } catch (problem) {
    if (tile.pending !== pending) return false;
    tile.pending = null;
    tell(tile, problem.status ? problem.message : "The gateway does not answer.", true);
    showTile(tile);
    return false;
  }
  showTile(tile);
  return true;
}

// ---- Curves: the values of signals over a period, the lowest, the highest and the last of each interval

// Thins out values in order: those of a step to its lowest, its highest and its last one.
function thin(entries, step) {
  const kept = [];
  let group = [];
  const close = () => {
    kept.push(...extremesOf(group));
    group = [];
  };
  for (const entry of entries) {
    const isApart = entry.gap || entry.end;
    if (group.length && (isApart || Math.floor(group[0].at / step) !== Math.floor(entry.at / step))) close();
    if (isApart) kept.push(entry); else group.push(entry);
  }
  close();
  return kept;
}

function extremesOf(group) {
  if (group.length < 2) return group;
  const last = group[group.length - 1];
  // Of booleans, a short change is an extreme as well.
  const [first] = group.filter(({ value }) => !Number.isNaN(plotted(value)));
  if (!first) return [last];
  let [low, high] = [first, first];
  for (const entry of group) {
    if (plotted(entry.value) < plotted(low.value)) low = entry;
    if (plotted(entry.value) > plotted(high.value)) high = entry;
  }
  return group.filter((entry) => entry === low || entry === high || entry === last);
}

class Curve {
  // Begins with the value that the page has, until the values before it have come.
  constructor(name, isHeld, length) {
    const { at, value, seq, ended } = signals.get(name) ?? {};
    const past = at && value !== undefined && !ended ? [{ at: Date.parse(at), value, seq }] : [];
    Object.assign(this, { name, isHeld, length, past, older: [] });
  }

  get step() { return Math.max(100, Math.ceil(this.length / mostPlotted)); }

  // Takes the retained values; those that came since stay.
  load(retained) {
    const seen = retained.length > 1 ? [] : seenOf(this.name);
    const found = thin(seen.length > retained.length ? seen : retained, this.step);
    this.retainedFrom = retained[0]?.at ?? Infinity;
    if (!found.length) return;
    const [first, last] = [found[0].at, found[found.length - 1].at];
    this.past = this.past.filter(({ at }) => at < first).concat(found, this.past.filter(({ at }) => at > last));
  }

  // Takes what the log of a durable graph has, which is more than what the page has seen.
  loadOlder(found) {
    this.older = found.filter(({ at }) => at < this.retainedFrom);
    this.past = this.past.filter(({ at }) => at >= this.retainedFrom || at > (this.older[this.older.length - 1]?.at ?? -Infinity));
  }

  // Takes a value or an end that came, or that the daemon has lost the value; false if it is known.
  note({ at, value, seq, ended }) {
    if (!ended && seq === undefined) return this.lose();
    const { past, step } = this;
    const before = past[past.length - 1];
    const sample = ended ? { at: at ? Date.parse(at) : serverTime.now(), end: ended } : { at: Date.parse(at), value, seq };
    if (Number.isNaN(sample.at) || (!ended && value === undefined) || (seq !== undefined && before?.seq === seq)) return false;
    // Of the step that it is in, no more than three are there.
    const of = Math.floor(sample.at / step);
    const first = past.findLastIndex((each) => each.end || each.gap || Math.floor(each.at / step) !== of) + 1;
    past.push(...thin([...past.splice(first), sample], step));
    return true;
  }

  lose() {
    const last = this.past[this.past.length - 1];
    if (!last || last.gap) return false;
    this.past.push({ at: serverTime.now(), gap: true });
    return true;
  }

  // Returns the samples of the period, with the one that held when it began.
  get entries() {
    const start = serverTime.now() - this.length;
    for (const list of [this.older, this.past]) {
      const first = list.findLastIndex(({ at }) => at < start);
      if (first > 0) list.splice(0, first);
    }
    const first = this.past[0]?.at ?? Infinity;
    return this.older.filter(({ at: time }) => time < first).concat(this.past);
  }
}

const samplesOf = (rows, name) => rows.filter(({ signal }) => signal === name)
  .map(({ time, value, seq, event }) => (event ? { at: Date.parse(time), end: event } : { at: Date.parse(time), value, seq }));

// Loads the retained values of curves of one period.
async function loadCurves(curves) {
  const [{ length, step }] = curves;
  const patterns = curves.map(({ name }) => `pattern=${encodeURIComponent(name)}`).join("&");
  const rows = parse(await (await ask(`values?${patterns}&history=${Math.round(length)}ms&step=${Math.ceil(step)}ms&extremes=true`)).text());
  for (const curve of curves) curve.load(samplesOf(rows, curve.name));
}

// ---- What the log of durable graphs has beyond the retained values: one question at a time, since each is work

const mostLogged = 600;
const farthestPast = 7 * 86400e3;
const mostTries = 5;
let pastQuestions = Promise.resolve();

// Returns what is known of signals over a period, thinned; null if there is no log, or if it is not wanted any more.
function askPast(names, length, isWanted) {
  const known = names.filter((name) => listed.get(name)?.past);
  if (!known.length) return null;
  const question = pastQuestions.then(() => (isWanted() ? fetchPast(known, length, isWanted) : null));
  pastQuestions = question.catch(() => {});
  return question;
}

async function fetchPast(names, length, isWanted) {
  const reach = Math.min(length, farthestPast);
  const query = `${names.map((name) => `signal=${encodeURIComponent(name)}`).join("&")}&period=${Math.round(reach)}ms&step=${Math.ceil(reach / mostLogged)}ms&extremes=true`;
  for (let tried = 1; isWanted(); tried += 1) {
    try {
      const found = parse(await (await ask(`history?${query}`)).text());
      const pauses = found.pauses.map(({ from, until }) => [Date.parse(from), Date.parse(until)]);
      return { ...found, pauses, from: Date.parse(found.from) };
    } catch (problem) {
      if (problem.code !== "busy" || tried === mostTries) throw problem;
      await new Promise((resume) => setTimeout(resume, 1500));
    }
  }
  return null;
}

// Loads what is before the retained values of curves of one period, if that is not all of it; returns the pauses.
async function loadOlder(curves, isWanted) {
  const { length } = curves[0];
  const start = serverTime.now() - length;
  const wanting = curves.filter(({ retainedFrom = Infinity }) => retainedFrom > start);
  const found = await askPast(wanting.map(({ name }) => name), length, isWanted);
  if (!found) return null;
  for (const curve of wanting) if (listed.get(curve.name)?.past) curve.loadOlder(samplesOf(found.values, curve.name));
  return found.pauses;
}

// The signals of a plot with their colours, dashes and values; a press opens one, or takes it away.
function legendOf(names, open, remove) {
  return element("ul", { className: "legend" }, names.map((name, index) => {
    const swatch = drawn("svg", { class: `curve swatch series-${index}`, viewBox: "0 0 22 10", "aria-hidden": "true" }, [drawn("path", { class: "line", d: "M0 5H22" })]);
    const title = element(open ? "button" : "span", { className: "name", textContent: shortName(name), title: name });
    if (open) title.addEventListener("click", () => open(name));
    const item = element("li", {}, [swatch, title, element("strong")]);
    item.dataset.signal = name;
    if (remove && index > 0) {
      const button = element("button", { type: "button", className: "remove", textContent: "×", title: `Remove ${name} from the plot` });
      button.setAttribute("aria-label", button.title);
      button.addEventListener("click", () => remove(name));
      item.append(button);
    }
    return item;
  }));
}

// Shows the values at the time that is pointed at, otherwise the present ones; true and false as in the rest of a view.
function showLegend(legend, plot, found, hasWords = false) {
  const shown = (name, value) => (hasWords && typeof value === "boolean" ? wordOf(value) : withUnit(name, valueShown(name, value, 24)));
  [...legend.children].forEach((item, index) => {
    const name = item.dataset.signal;
    const signal = signals.get(name);
    const text = found ? (found[index] ? shown(name, found[index].value) : "–")
      : signal?.value !== undefined && !signal.ended ? shown(name, signal.value) : textOf(name, 24) || "–";
    item.toggleAttribute("data-lane", plot?.series[index]?.kind === "lane");
    const value = item.querySelector("strong");
    if (value.textContent !== text) value.textContent = text;
  });
}

// ---- Plots of views

const logInterval = 60e3; // The least time between two questions about one plot

async function loadPlot(tile) {
  try {
    await loadCurves(tile.curves);
    tile.due = 0;
    if (tile.asked > performance.now() - logInterval) return;
    tile.asked = performance.now();
    tile.pauses = await loadOlder(tile.curves, () => tiles.includes(tile) && !document.hidden) ?? tile.pauses;
    tile.due = 0;
  } catch {
    // The plot begins with what the page sees.
    tile.asked = -Infinity;
  }
}

function notePlots(name, change) {
  for (const tile of tiles) {
    for (const curve of tile.curves ?? []) if (curve.name === name && curve.note(change)) tile.due = 0;
  }
  for (const curve of compared) if (curve.name === name) curve.note(change);
}

// A plot is drawn again when there is another value, and as its time passes.
function drawTilePlot(signal, tile) {
  const now = performance.now();
  const width = tile.plot.clientWidth;
  if (tile.legend) showLegend(tile.legend, tile.drawn, pointedValues(tile.drawn, tile.pointed), true);
  if (width === tile.width && now < tile.due) return;
  Object.assign(tile, { width, due: now + Math.min(10000, Math.max(500, tile.length / mostPlotted)) });
  const { minimum: low, maximum: high } = tile.entry;
  const curves = tile.curves.map(({ name, isHeld, entries }) => ({ name, isHeld, entries }));
  tile.drawn = drawPlot(tile.plot, { curves, length: tile.length, low, high, room: tile.plot.clientHeight, pauses: tile.pauses });
  tile.item.toggleAttribute("data-lane", !tile.drawn.y);
  showTilePoint(tile);
}

function showTilePoint(tile) {
  if (!tile.drawn) return;
  drawPointer(tile.plot, tile.drawn, tile.pointed, true);
  if (tile.legend) showLegend(tile.legend, tile.drawn, pointedValues(tile.drawn, tile.pointed), true);
}

// ---- One signal

let past = [];          // The latest values of the open signal, in full
let earlier = [];       // Those before, as the daemon has retained them, thinned out
let holds = false;      // True if a value of it holds until the next one
let historyStream = null;
let isThinned = false;  // True if the gateway leaves values out
let compared = [];      // The curves beside that of the open signal
let pauses = [];        // The times of the period in which nothing was recorded
// The rate in values a second up to which a page receives every value.
const mostFollowed = 100;
const mostPast = 2000;

// The periods: how long, and the step that it is asked for in.
const ranges = [
  { label: "1 min", length: 60e3, step: 200, text: "1m" }, { label: "10 min", length: 600e3, step: 1e3, text: "10m" },
  { label: "1 h", length: 3600e3, step: 10e3, text: "1h" }, { label: "6 h", length: 21600e3, step: 60e3, text: "6h" },
  { label: "1 d", length: 86400e3, step: 300e3, text: "1d" }, { label: "7 d", length: 604800e3, step: 1800e3, text: "7d" },
];
let range = ranges[1];
let isRangeChosen = false;

$("ranges").append(...ranges.map((each) => {
  const button = element("button", { type: "button", textContent: each.label });
  button.setAttribute("aria-pressed", each === range);
  button.addEventListener("click", () => {
    isRangeChosen = true;
    setRange(each);
  });
  return button;
}));

function setRange(chosen, isLoading = true) {
  range = chosen;
  ranges.forEach((each, index) => $("ranges").children[index].setAttribute("aria-pressed", each === range));
  [pointed, pauses] = [null, []];
  for (const curve of compared) Object.assign(curve, { length: range.length, older: [] });
  if (!isLoading) return;
  loadCompared(compared);
  loadEarlier();
}

async function select(name) {
  const before = selected;
  selected = name;
  historyStream?.close();
  historyStream = null;
  past = [];
  earlier = [];
  pointed = null;
  compared = [];
  setRange(isRangeChosen ? range : ranges[1], false);
  showCompared();
  holds = listed.get(name)?.kind === "property";
  showExplaining(false);
  for (const each of [before, name]) nodes.get(each)?.toggleAttribute("data-selected", each === name && name !== null);
  $("detail").hidden = name === null;
  document.body.toggleAttribute("data-open", name !== null);
  // Who goes by keyboard finds himself at the signal in the list.
  if (name === null) {
    if (openView !== null) return tiles.find((tile) => tile.name === before)?.open.focus();
    return $("drawing").hidden ? before && cards.get(cardOf(before))?.open.focus() : nodes.get(before)?.focus();
  }
  showName($("name"), name);
  $("doc").textContent = listed.get(name)?.doc ?? "";
  $("declaration").textContent = "";
  $("facts").replaceChildren();
  described = Infinity;
  sending = null;
  showSending(name);
  showValue();
  $("detail").focus();
  $("detail").scrollTop = 0;
  followHistory();
  loadEarlier();
  refresh();
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
  describe(description);
  $("send").hidden = !target(name);
}

// The type of the values that are sent to a signal; a property has that of its initial value, if it declares none.
function sentType(declaration) {
  const { type, initial = null } = declaration?.input ?? declaration?.property ?? {};
  return type ?? (initial === null ? "any" : Array.isArray(initial) ? "array" : Number.isNaN(numberOf(initial)) ? typeof initial : "number");
}

function describe(description) {
  const { kind, declaration, text, why } = description;
  showExplaining(why === true);
  holds = kind === "property" || Boolean(declaration?.hold);
  showHistory();
  $("facts").replaceChildren();
  showFacts(description);
  $("declaration").replaceChildren(...(text ? written(text) : yaml(declaration)));
  // Text that was entered before the type was known stays until there is another declaration.
  if (!sending.isProvisional || !sending.node.value) showSending(selected, sentType(declaration), listed.get(selected)?.unit);
  sending.isProvisional = false;
}

const spanShown = (seconds) => (seconds < 120 ? `${Math.round(seconds)} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`);
const failureShown = ({ code, message, age }) => `${code}: ${message}${age === undefined ? "" : `, ${spanShown(age)} ago`}`;

// A queue of calls or messages: how many wait and for how long, and the last failure.
function queueShown({ action, connection, waiting, age, error }) {
  const oldest = waiting > 0 && age !== undefined ? `, the oldest for ${spanShown(age)}` : "";
  return `${connection ? `messages for ${connection}` : action ? `calls of ${action}` : "calls"}: ${waiting} waiting${oldest}${error ? `; last failure: ${failureShown(error)}` : ""}`;
}

// The facts about the open signal. What did not change stays as it is: it may have the focus, or be marked.
function showFacts({ kind, upstream, downstream, seq, subscribers, errors, refused, dropped, calls = [], place }) {
  const action = actionOf(selected);
  const facts = {
    kind, state: troublesOf(selected).filter(({ isLastError }) => !isLastError).map(({ text }) => text), values: seq, subscribers, errors,
    "last error": refused && `${refused.operator}: ${failureShown(refused)}`, dropped, queue: calls.map(queueShown),
    action: action === null ? [] : partsOf(action).filter((name) => name !== selected), from: upstream, to: downstream, place,
  };
  const links = ["action", "from", "to"];
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined && value.length !== 0);
  const list = $("facts");
  const keys = shown.map(([key]) => key).join();
  if (list.dataset.keys !== keys || !list.firstChild) {
    list.dataset.keys = keys;
    list.replaceChildren(...shown.flatMap(([key]) => [element("dt", { textContent: key }), element("dd")]));
  }
  const places = list.querySelectorAll("dd");
  shown.forEach(([key, value], index) => {
    const place = places[index];
    const text = JSON.stringify(value);
    if (place.dataset.shown === text) return;
    place.dataset.shown = text;
    place.replaceChildren(...(Array.isArray(value) ? value : [value]).map((each) => (links.includes(key) ? neighbour(each) : element("div", { textContent: each }))));
  });
  described = performance.now();
  showNeighbours();
}

const factsInterval = 2000;
let described = Infinity; // The time of the facts that are shown

// The counts and queues of the open signal change without a message from the daemon.
async function refreshFacts() {
  if (performance.now() - described < factsInterval || $("state").dataset.state !== "connected") return;
  described = Infinity;
  const name = selected;
  try {
    const description = await (await ask(`signals/${encodeURIComponent(name)}/declaration`)).json();
    if (selected === name) showFacts(description);
  } catch {
    described = performance.now();
  }
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
    value.textContent = ` ${withUnit(value.dataset.signal, textOf(value.dataset.signal, 40))}`;
  }
}

function showValue() {
  const signal = signals.get(selected);
  const unit = listed.get(selected)?.unit;
  sending?.following?.show(signal?.value);
  $("value").textContent = signal?.value === undefined
    ? textOf(selected) : JSON.stringify(signal.value, null, 2) + (unit ? ` ${unit}` : "");
  const isSmall = signal?.value !== undefined && !signal.ended && (typeof signal.value !== "object" || !Number.isNaN(numberOf(signal.value)));
  $("now").hidden = !isSmall;
  $("now").textContent = isSmall ? withUnit(selected, textOf(selected)) : "";
  $("now").style.setProperty("--length", Math.max(1, $("now").textContent.length));
  $("now").dataset.full = isSmall ? JSON.stringify(signal.value) : "";
  $("now").dataset.kind = typeof signal?.value === "boolean" ? String(signal.value) : "";
  $("now").dataset.level = levelOf(selected) ?? "";
}

const isTooFast = () => rate(signals.get(selected) ?? {}) > mostFollowed;

// The values of the signal that is open: all of them, or if they are too many at most twenty a second.
function followHistory(thinned = isTooFast()) {
  historyStream?.close();
  condense(past.length);
  isThinned = thinned;
  const every = thinned ? "&every=50ms" : "";
  const name = selected;
  historyStream = new EventStream(
    `events?signal=${encodeURIComponent(name)}&replay=200&overflow=latest${every}`, (event, data) => {
      if (selected !== name) return;
      if (!thinned && isTooFast()) return followHistory(true);
      remember(event, data);
    }, () => { if (selected === name) interrupt(); });
}

function remember(event, data) {
  if (isFrozen) return;
  if (event === "message") past.push({ at: Date.parse(data.at), value: data.value, seq: data.seq });
  else if (["completed", "failed", "interrupted"].includes(event)) past.push({ at: data.at ? Date.parse(data.at) : serverTime.now(), end: event });
  else if (["lagged", "expired", "renewed"].includes(event)) return interrupt();
  else return;
  if (past.length > mostPast) condense(mostPast / 2);
}

// Notes that values may have been lost from here on.
function interrupt() {
  if (past.length && !past[past.length - 1].gap) past.push({ at: serverTime.now(), gap: true });
}

// Moves the oldest values to those before, thinned out.
function condense(count) {
  const moved = past.splice(0, count);
  if (moved.length) earlier = earlier.filter(({ at }) => at < moved[0].at);
  earlier = thin(earlier.concat(moved), range.step);
  if (earlier.length > mostPast) earlier.splice(0, earlier.length - mostPast);
}

// Loads the retained values of the period.
async function loadEarlier() {
  const [name, period] = [selected, range];
  try {
    const query = `pattern=${encodeURIComponent(name)}&history=${period.text}&step=${Math.ceil(period.step)}ms&extremes=true`;
    const text = await (await ask(`values?${query}`)).text();
    if (selected !== name || range !== period) return;
    const retained = parse(text).map(({ time, value, seq }) => ({ at: Date.parse(time), value, seq }));
    // Of a signal that retains nothing, there is what the page has seen itself.
    const seen = retained.length > 1 ? [] : seenOf(name);
    const found = thin(seen.length > retained.length ? seen : retained, period.step);
    // Values that a restart has taken from the daemon, and the gaps, only the page knows.
    const first = found[0]?.at ?? Infinity;
    earlier = earlier.filter(({ at, gap }) => gap || at < first).concat(found)
      .sort((one, other) => one.at - other.at).slice(-mostPast);
    $("history-note").textContent = "";
    showHistory();
    await loadLogged(name, period, retained[0]?.at ?? Infinity);
  } catch (problem) {
    if (selected === name) $("history-note").textContent = `What was before is not known: ${problem.message}`;
  }
  if (selected) showHistory();
  if (selected === name && range === period) chooseRange();
}

// Unless a period was chosen, what has begun only just now is shown over the shortest one.
function chooseRange() {
  if (isRangeChosen) return;
  const begin = Math.min(earlier[0]?.at ?? Infinity, past[0]?.at ?? Infinity);
  const fitting = begin > serverTime.now() - ranges[0].length ? ranges[0] : ranges[1];
  if (begin < Infinity && fitting !== range) setRange(fitting);
}

// Loads what is before the retained values from the log of a durable graph.
async function loadLogged(name, period, retainedFrom) {
  const start = serverTime.now() - period.length;
  if (retainedFrom <= start || !listed.get(name)?.past) return;
  const isWanted = () => selected === name && range === period;
  $("history-note").textContent = "Loading older values…";
  const found = await askPast([name], period.length, isWanted);
  if (!found || !isWanted()) return;
  pauses = found.pauses;
  const older = samplesOf(found.values, name).filter(({ at }) => at < retainedFrom);
  earlier = older.concat(earlier.filter(({ at, gap }) => gap || at >= retainedFrom)).sort((one, other) => one.at - other.at).slice(-mostPast);
  const since = `${new Date(found.from).toLocaleDateString([], { weekday: "short" })} ${clock(found.from)}`;
  $("history-note").textContent = found.shortage === "time" ? `What was before ${since} takes too long to load.`
    : found.shortage && found.from > start + period.length / 100 ? `Recorded since ${since}.` : "";
}

// All that is known of the period, in order.
function known() {
  const all = past.length ? earlier.filter(({ at }) => at < past[0].at).concat(past) : earlier;
  const start = serverTime.now() - range.length;
  // The value that held when the period began is a part of it.
  let first = all.findIndex(({ at }) => at >= start);
  if (first < 0) first = all.length;
  return all.slice(Math.max(0, first - 1));
}

function showHistory() {
  drawCurve();
  drawMarbles();
}

// ---- The curve

let pointed = null; // The time that the pointer or the keyboard is at
let plot = null;    // What is drawn of the open signal: {samples, isHeld, left, right, start, end, x}
const timeSteps = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800].map((each) => each * 1e3);

const clock = (at, options) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false, ...options });
// Midnight is a day among the hours.
function tickText(at, step) {
  const moment = new Date(at);
  const isDay = step >= 86400e3 || (step >= 3600e3 && moment.getHours() === 0 && moment.getMinutes() === 0);
  return isDay ? moment.toLocaleDateString([], { weekday: "short", day: "numeric" }) : clock(at, step < 60e3 ? { second: "2-digit" } : {});
}

// Round numbers between two others.
function ticks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

function drawCurve() {
  const curves = [{ name: selected, entries: known(), isHeld: holds }, ...compared.map(({ name, isHeld, entries }) => ({ name, isHeld, entries }))];
  plot = drawPlot($("curve"), { curves, length: range.length, pauses });
  showPointed();
}

const laneHeight = 18;

// Draws the values of a period up to now: a curve of numbers, a lane of others, or several signals together, with one
// axis for all numbers. Between low and high, if given.
function drawPlot(svg, { curves, length, low, high, room = 0, pauses: paused = [] }) {
  const width = svg.clientWidth || 320;
  const several = curves.length > 1;
  const series = curves.map((curve, index) => {
    const samples = curve.entries.filter(({ gap, end }) => !gap && !end);
    return { ...curve, samples, kind: kindOf(samples, several), look: several ? `series-${index}` : "" };
  });
  const numeric = series.filter(({ kind }) => kind === "number");
  const lanes = several ? series.filter(({ kind }) => kind === "lane") : [];
  const height = Math.max(room, numeric.length || (several && !lanes.length) ? 180 + lanes.length * laneHeight : several ? 36 + lanes.length * (laneHeight + 6) : 84);
  const [top, foot] = [10, height - 22];
  // The lanes keep off the lowest number of the axis.
  const laneRoom = numeric.length ? laneHeight + 4 : (foot - top) / Math.max(1, lanes.length);
  const laneGap = lanes.length ? 6 : 0;
  const axis = numeric.length ? axisOf(numeric, { low, high, height: foot - top - lanes.length * laneRoom - laneGap }) : null;
  // The numbers of the axis have the room that they need.
  const widest = Math.max(0, ...(axis?.marks ?? []).map(({ text }) => text.length));
  const [left, right] = [Math.max(lanes.length ? 58 : numeric.length || several ? 46 : 8, widest * 7 + 12), width - 10];
  const end = serverTime.now();
  const start = end - length;
  const x = (at) => left + ((Math.max(start, Math.min(end, at)) - start) / length) * (right - left);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", height);
  const plot = { series, length, left, right, top, bottom: foot, start, end, x, low, high };
  const parts = [
    ...paused.filter(([, until]) => until > start).map(([from, until]) => shade(plot, "pause", from, until, "Nothing was recorded here, and then the daemon was started")),
    ...timeAxis(plot)];
  const upper = { ...plot, bottom: numeric.length ? foot - lanes.length * laneRoom - laneGap : foot };
  if (numeric.length) {
    parts.push(...valueAxis(upper, numeric, axis));
    for (const each of numeric) parts.push(...numberCurve({ ...upper, ...each }));
    plot.y = upper.y;
  }
  lanes.forEach((each, index) => {
    const middle = (numeric.length ? upper.bottom + laneGap : top) + (index + 0.5) * laneRoom;
    each.middle = middle;
    parts.push(
      drawn("text", { x: left - 6, y: middle + 4, "text-anchor": "end" }, [shortened(shortName(each.name), 7)]),
      ...lane({ ...plot, ...each, top: middle - laneHeight / 2, bottom: middle + laneHeight / 2, inset: 1 }));
  });
  if (!several && !numeric.length) parts.push(...lane({ ...plot, ...series[0] }));
  for (const { entries } of series) parts.push(...gapsOf(entries).map(([from, to]) => shade(plot, "gap", from, to, "Values may have been lost here")));
  if (!series.some(({ samples }) => samples.length)) parts.push(drawn("text", { x: (left + right) / 2, y: (top + foot) / 2, "text-anchor": "middle" }, ["No value in this period"]));
  svg.replaceChildren(...parts);
  return plot;
}

// Numbers are a curve, everything else is a lane; beside numbers, true and false may be 1 and 0.
function kindOf(samples, several) {
  const numbers = samples.map(({ value }) => plotted(value, several));
  const isLane = numbers.some((number) => !Number.isFinite(number)) || samples.every(({ value }) => typeof value === "boolean");
  return samples.length === 0 ? "none" : isLane ? "lane" : "number";
}
const plotted = (value, takesBooleans = true) => (takesBooleans && typeof value === "boolean" ? Number(value) : numberOf(value));

const shade = ({ x, top, bottom }, kind, from, to, title) => drawn("rect", {
  class: kind, x: x(from).toFixed(1), y: top, width: Math.max(2, x(to) - x(from)).toFixed(1), height: bottom - top,
}, [drawn("title", {}, [title])]);

function timeAxis({ length, left, right, bottom, start, end, x }) {
  // Times with seconds take more room. There are two at least, so that a length can be read.
  const step = timeSteps.find((each) => length / each <= Math.max(3, (right - left) / (each < 60e3 ? 66 : 48))) ?? 86400e3;
  const zone = new Date().getTimezoneOffset() * 60e3;
  const parts = [drawn("path", { class: "axis", d: `M${left} ${bottom}H${right}` })];
  for (let at = Math.ceil((start - zone) / step) * step + zone; at <= end; at += step) {
    const place = x(at);
    parts.push(drawn("path", { class: "tick", d: `M${place.toFixed(1)} ${bottom}v4` }));
    if (place > left + 14 && place < right - (step < 60e3 ? 24 : 14)) {
      parts.push(drawn("text", { x: place.toFixed(1), y: bottom + 16, "text-anchor": "middle" }, [tickText(at, step)]));
    }
  }
  return parts;
}

// The times between which values were lost: a break behind which the numbers go on was none.
function gapsOf(entries) {
  const found = [];
  entries.forEach(({ gap, at }, index) => {
    if (!gap) return;
    const [before, after] = [entries[index - 1], entries[index + 1]];
    if (before?.seq !== undefined && after?.seq === before.seq + 1) return;
    found.push([before?.at ?? at, after?.at ?? serverTime.now()]);
  });
  return found;
}

// The range of an axis, and its marks: round numbers, with the decimals that tell them apart.
function axisOf(series, { low: least = Infinity, high: most = -Infinity, height }) {
  const numbers = series.flatMap(({ samples }) => samples.map(({ value }) => plotted(value)));
  let [low, high] = [Math.min(least, ...numbers), Math.max(most, ...numbers)];
  if (low === high) [low, high] = [low - (Math.abs(low) / 10 || 1), high + (Math.abs(high) / 10 || 1)];
  const margin = (high - low) * 0.06;
  [low, high] = [low - margin, high + margin];
  const places = ticks(low, high, Math.max(4, Math.floor(height / 25)));
  const decimals = Math.max(0, -Math.floor(Math.log10(places[1] - places[0]) + 1e-9) || 0);
  const text = (at) => (Math.max(Math.abs(low), Math.abs(high)) < 1e12 && decimals < 9 ? unsigned(at.toFixed(decimals)) : String(at));
  return { low, high, marks: places.map((at) => ({ at, text: text(at) })) };
}

// The axis of the values, with their unit if several curves have the same one.
function valueAxis(plot, series, { low, high, marks: places }) {
  const { left, right, top, bottom } = plot;
  const y = (number) => bottom - ((number - low) / (high - low)) * (bottom - top);
  plot.y = (value) => y(plotted(value));
  const units = new Set(series.map(({ name }) => listed.get(name)?.unit ?? ""));
  const unit = plot.series.length > 1 && units.size === 1 ? [...units][0] : "";
  return [...places.flatMap(({ at, text }) => [
    drawn("path", { class: "grid", d: `M${left} ${y(at).toFixed(1)}H${right}` }),
    drawn("text", { x: left - 6, y: (y(at) + 4).toFixed(1), "text-anchor": "end" }, [text])]),
  ...(unit ? [drawn("text", { class: "axis-unit", x: left + 4, y: top + 6 }, [unit])] : [])];
}

// Marks that differ by more than their colours
const marks = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`,
  (x, y, r) => `M${x} ${y - r * 1.2}l${r * 1.2} ${r * 2.1}h${-r * 2.4}z`,
];

// A value that holds is a step; one that passes is a marble.
function numberCurve(plot) {
  const { isHeld, samples, entries, look, start, end, x, y } = plot;
  if (!isHeld) {
    const radius = 3.5;
    const mark = marks[(Number(look.slice(7)) || 0) % marks.length];
    // Very many are dots of one path.
    if (samples.length > 200) {
      const dots = samples.filter(({ at }) => at >= start).map(({ at, value }) => `M${x(at).toFixed(1)} ${y(value).toFixed(1)}h.01`);
      return [drawn("path", { class: `dots ${look}`, d: dots.join("") })];
    }
    return samples.filter(({ at }) => at >= start).map(({ at, value }) => (look
      ? drawn("path", { class: `marble ${look}`, d: mark(Number(x(at).toFixed(1)), Number(y(value).toFixed(1)), radius) })
      : drawn("circle", { class: "marble", cx: x(at).toFixed(1), cy: y(value).toFixed(1), r: radius })));
  }
  const isGap = gapEnds(entries);
  let line = "";
  let isOpen = false;
  for (const entry of entries) {
    if (entry.gap) {
      if (isGap.has(entry)) isOpen = false;
      continue;
    }
    const across = x(entry.at).toFixed(1);
    if (entry.end) {
      if (isOpen) line += `H${across}`;
      isOpen = false;
      continue;
    }
    const up = y(entry.value).toFixed(1);
    line += isOpen ? `H${across}V${up}` : `M${across} ${up}h.1`;
    isOpen = true;
  }
  if (isOpen) line += `H${x(end).toFixed(1)}`;
  return [drawn("path", { class: `line ${look}`, d: line })];
}

const gapEnds = (entries) => new Set(entries.filter((entry, index) => entry.gap
  && !(entries[index - 1]?.seq !== undefined && entries[index + 1]?.seq === entries[index - 1].seq + 1)));

const laneColours = 6;

// A signal without numbers is a lane: bars while it holds, marbles where it passes.
function lane({ name, isHeld, entries, look, right, top, bottom, start, end, x, inset = 4 }) {
  const colours = new Map();
  const colour = (value) => {
    if (typeof value === "boolean") return look && value ? look : String(value);
    const text = JSON.stringify(value);
    if (!colours.has(text)) colours.set(text, `colour-${colours.size % laneColours}`);
    return colours.get(text);
  };
  const middle = (top + bottom) / 2;
  const isGap = gapEnds(entries);
  return entries.flatMap((entry, index) => {
    if (entry.gap || entry.end) return [];
    const text = valueShown(name, entry.value, 24);
    if (!isHeld) {
      return entry.at < start ? [] : [drawn("circle", { class: `marble ${colour(entry.value)}`, cx: x(entry.at).toFixed(1), cy: middle, r: 6 }, [drawn("title", {}, [text])])];
    }
    const next = entries[index + 1];
    const to = x(next && (!next.gap || isGap.has(next)) ? next.at : entries[index + 2]?.at ?? end);
    const from = x(entry.at);
    const bar = drawn("rect", { class: `bar ${colour(entry.value)}`, x: from.toFixed(1), y: top + inset, width: Math.max(1, to - from).toFixed(1), height: bottom - top - 2 * inset });
    const label = to - from > text.length * 7 + 12 && !(look && typeof entry.value === "boolean")
      ? [drawn("text", { class: "within", x: (from + 6).toFixed(1), y: middle + 4 }, [text])] : [];
    return [bar, ...label];
  });
}

// The sample at a time: the one that held then, or the nearest one.
function sampleAt({ samples, isHeld }, at) {
  if (isHeld) return samples.findLast((sample) => sample.at <= at);
  return samples.reduce((best, sample) => (!best || Math.abs(sample.at - at) < Math.abs(best.at - at) ? sample : best), undefined);
}

const pointedValues = (plot, at) => (plot && at !== null ? plot.series.map((each) => sampleAt(each, at)) : null);
const timeAt = (plot, across) => (plot ? plot.start + ((across - plot.left) / (plot.right - plot.left)) * plot.length : null);

// Marks a time in a plot and the values at it; in a view with the text, which is elsewhere for the open signal.
function drawPointer(svg, plot, at, isLabelled = false) {
  svg.querySelector(".pointed")?.remove();
  const found = pointedValues(plot, at);
  if (!found?.some((sample) => sample)) return null;
  const { series, top, bottom, left, right, x } = plot;
  const several = series.length > 1;
  const place = x(several || series[0].isHeld ? at : found[0].at);
  const parts = [drawn("path", { class: "pointer", d: `M${place.toFixed(1)} ${top}V${bottom}` })];
  series.forEach(({ kind, look, isHeld }, index) => {
    const sample = found[index];
    if (!sample || kind !== "number") return;
    parts.push(drawn("circle", { class: `pointer-dot ${look}`, cx: (isHeld ? place : x(sample.at)).toFixed(1), cy: plot.y(sample.value).toFixed(1), r: 4 }));
  });
  if (isLabelled) {
    const { name } = series[0];
    const time = clock(several || series[0].isHeld ? at : found[0].at, plot.length < 7200e3 ? { second: "2-digit" } : plot.length > 86400e3 ? { weekday: "short" } : {});
    const text = several ? time : `${withUnit(name, valueShown(name, found[0].value, 24))} · ${time}`;
    const isRight = place > (left + right) / 2;
    parts.push(drawn("text", { class: "pointer-text", x: (place + (isRight ? -6 : 6)).toFixed(1), y: top + 8, "text-anchor": isRight ? "end" : "start" }, [text]));
  }
  svg.append(drawn("g", { class: "pointed" }, parts));
  return found;
}

function showPointed() {
  if (!plot) return;
  const found = drawPointer($("curve"), plot, pointed);
  if (compared.length) showLegend($("plot-legend").firstElementChild, plot, found);
  if (!found) {
    $("pointed").textContent = "";
    return;
  }
  const [sample] = found;
  if (compared.length) {
    // The legend has the values for the eye.
    const values = plot.series.map(({ name }, index) => `${name} ${found[index] ? withUnit(name, valueShown(name, found[index].value)) : "no value"}`);
    $("pointed").replaceChildren(timeText(new Date(pointed).toISOString()), element("span", { className: "hidden", textContent: values.join(", ") }));
    return;
  }
  const since = plot.series[0].isHeld ? " since " : " at ";
  $("pointed").replaceChildren(
    element("strong", { textContent: withUnit(selected, valueShown(selected, sample.value)), title: JSON.stringify(sample.value) }),
    since, timeText(new Date(sample.at).toISOString()));
}

// ---- Other signals in the plot of the open one

const mostCompared = 7;

function showCompared() {
  const names = compared.map(({ name }) => name);
  $("plot-legend").replaceChildren(...(names.length ? [legendOf([selected, ...names], (name) => { if (name !== selected) select(name); }, removeCompared)] : []));
  $("compare").hidden = !selected || names.length >= mostCompared;
  $("compare-names").replaceChildren(...[...listed.values()].filter(({ signal, subscribe }) => {
    const value = signals.get(signal)?.value;
    return subscribe && signal !== selected && !names.includes(signal) && (value === undefined || typeof value === "boolean" || !Number.isNaN(numberOf(value)));
  }).map(({ signal }) => new Option(signal)));
}

// Adds the signal of that name, or of the only name that contains it.
async function compare(submission) {
  submission.preventDefault();
  const text = $("compare-name").value.trim();
  const names = [...$("compare-names").children].map(({ value }) => value);
  const found = names.filter((name) => name.includes(text));
  const name = names.includes(text) ? text : found.length === 1 ? found[0] : null;
  $("compare-problem").textContent = text === "" || name ? "" : found.length ? `${found.length} signals have that in their names.` : "No other signal has that in its name.";
  if (text === "" || !name) return;
  $("compare-name").value = "";
  const curve = new Curve(name, listed.get(name)?.kind === "property", range.length);
  compared.push(curve);
  showCompared();
  await loadCompared([curve]);
}

async function loadCompared(curves) {
  try {
    await Promise.all(curves.map(async (curve) => {
      const { kind, declaration } = await (await ask(`signals/${encodeURIComponent(curve.name)}/declaration`)).json();
      curve.isHeld = kind === "property" || Boolean(declaration?.hold);
    }));
    if (curves.length) await loadCurves(curves);
    showHistory();
    if (curves.length) await loadOlder(curves, () => compared.includes(curves[0]));
  } catch (problem) {
    $("compare-problem").textContent = problem.message;
  }
  if (selected) showHistory();
}

function removeCompared(name) {
  compared = compared.filter((curve) => curve.name !== name);
  showCompared();
  showHistory();
  $("compare-name").focus();
}

$("curve").addEventListener("pointermove", ({ offsetX }) => {
  if (!plot) return;
  pointed = timeAt(plot, offsetX);
  drawCurve();
});
$("curve").addEventListener("pointerleave", () => {
  pointed = null;
  drawCurve();
});
$("curve").addEventListener("blur", () => { pointed = null; });
$("curve").addEventListener("keydown", (key) => {
  if (!plot?.series[0].samples.length || !["ArrowLeft", "ArrowRight", "Home", "End"].includes(key.key)) return;
  key.preventDefault();
  const { samples } = plot.series[0];
  const now = pointed === null ? samples.length : samples.indexOf(sampleAt(plot.series[0], pointed));
  const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: samples.length - 1 }[key.key];
  pointed = samples[Math.max(0, Math.min(samples.length - 1, next))].at;
  drawCurve();
});

// ---- The declaration

// The declaration as it was written, in pieces of colour: comments, text in quotes, keys, and numbers and words.
function written(text) {
  const pieces = /((?<=^|\s)#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|([\w.\/-]+(?=:(?:\s|$)))|((?<![\w.\/-])(?:true|false|null|-?\d+(?:\.\d+)?)(?![\w.\/-]))/gm;
  const kinds = ["comment", "text", "key", "scalar"];
  const shown = [];
  let end = 0;
  for (const { index, 0: piece, ...groups } of text.matchAll(pieces)) {
    shown.push(text.slice(end, index), element("span", { className: kinds.find((_, kind) => groups[kind + 1] !== undefined), textContent: piece }));
    end = index + piece.length;
  }
  return [...shown, text.slice(end)];
}

// A value as YAML, in pieces of colour: keys, text, and other scalars.
function yaml(value, indent = "") {
  const piece = (className, textContent) => element("span", { className, textContent });
  // As the command line writes them: words, paths, names of members, and durations and sizes.
  const isPlain = (text) => /^(?:[A-Za-z_/°µ]|\.(?:[A-Za-z]|$)|(?!0[xo])(?:\d+[A-Za-z]+)+$)/.test(text) && /^[ -~°µ]*$/.test(text)
    && !/: | #|[: ]$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n|\.inf|\.nan)$/i.test(text);
  const scalar = (each) => (typeof each === "string" ? piece("text", isPlain(each) ? each : JSON.stringify(each))
    : piece("scalar", JSON.stringify(each)));
  const isLeaf = (each) => each === null || typeof each !== "object" || JSON.isRawJSON?.(each) || Object.keys(each).length === 0;
  const key = (text) => piece("key", isPlain(text) ? text : JSON.stringify(text));
  if (isLeaf(value)) return [scalar(value)];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, each], index) => {
    const head = [index ? `\n${indent}` : "", isList ? "- " : key(name), isList ? "" : ":"];
    if (isLeaf(each)) return [...head, isList ? "" : " ", scalar(each)];
    const deeper = `${indent}  `;
    return [...head, isList ? "" : `\n${deeper}`, ...yaml(each, deeper)];
  });
}

// The notation of tests: each step is as long as fits the latest values on one line.
function drawMarbles() {
  const recent = past.filter(({ gap }) => !gap).slice(-26);
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
      line += end === "failed" ? "#" : end === "completed" ? "|" : "!";
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
  const isToday = moment.toDateString() === new Date(serverTime.now()).toDateString();
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
  way: wayOf,
});

const whySilence = {
  title: "Why nothing newer?",
  query: "not=true",
  show({ signal, turns }) {
    $("why-state").textContent = turns.length ? "What came nearest to it, nearest first:"
      : `No input of ${signal} has entered in all that is known.`;
    return new SilenceList(signal).list(turns);
  },
  way: wayOfSilence,
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
    setWay(() => question.way(answer));
    $("why-drawing").hidden = false;
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
  setWay(null);
  $("why-drawing").hidden = true;
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
  bus: "event on a bus", program_end: "end of a program", bus_reply: "reply on a bus", folder: "files of a watched folder",
  network: "message of an adapter", network_answer: "answer of an adapter",
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
    case "world": return [worlds[world] ?? (world ? `event of ${world}` : "an event outside")];
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
    if (!signal.call) return null;
    const action = name.slice(0, name.lastIndexOf("."));
    return { path: `actions/${encodeURIComponent(action)}`, method: "POST", title: `Call ${action}`, isAction: true };
  }
  return signal?.send ? { path: `signals/${encodeURIComponent(name)}`, method: "PUT", title: "Send" } : null;
}

// ---- Fields for values

// A declared type, which is a word or a mapping, with the word that its keys imply.
function typeOf(declared) {
  if (typeof declared !== "object" || declared === null) return { type: declared ?? "any" };
  const { fields, items, minimum, maximum } = declared;
  return { ...declared, type: declared.type ?? (fields ? "object" : items !== undefined ? "array" : (minimum ?? maximum) !== undefined ? "number" : "any") };
}

// The label of a field: the values that it takes.
function labelOf(type) {
  const [least, most] = [type.minimum, type.maximum].map((bound) => (Number.isFinite(numberOf(bound)) ? numberShown(bound) : null));
  const range = least !== null && most !== null ? ` from ${least} to ${most}` : least !== null ? ` of at least ${least}` : most !== null ? ` of at most ${most}` : "";
  if (type.enum) return "One of these values";
  return {
    boolean: "True or false", integer: `An integer${range}`, number: `A number${range}`, string: "Text",
    object: type.fields ? "An object" : "An object, as JSON", array: type.items ? "A list" : "An array, as JSON",
    any: "A value, as JSON", input: "The value for its standard input, as JSON, or nothing",
  }[type.type] ?? "A value, as JSON";
}

// The hint in an empty field, so short that it fits: the range of a number, or else the kind of value.
function hintOf(type) {
  const range = /^An? (?:number|integer) (?:from|of) (.*)/.exec(labelOf(type))?.[1];
  if (range) return range.replace("at least", "≥").replace("at most", "≤");
  return { integer: "integer", number: "number", string: "text", object: "JSON {…}", array: "JSON […]" }[type.type] ?? "JSON";
}

// Makes the field of a type. It has a node, and read() returns the JSON of its content, or nothing where it is empty
// and may be; fill() shows a value; clear() prepares it for the next one.
//
// A part of an object or a list, or of a tile of a view, has a single line where it can.
function fieldOf(type, { isOptional = false, isPart = false } = {}) {
  if (type.enum) return choiceField(type.enum, isOptional);
  switch (type.type) {
    case "boolean": return choiceField([true, false], isOptional);
    case "integer": case "number": return numberField(type, isOptional);
    case "string": return textField(isPart, (text) => (isOptional && text === "" ? undefined : JSON.stringify(text)), (value) => (typeof value === "string" ? value : ""));
    case "object": if (type.fields) return objectField(type); break;
    case "array": if (type.items !== undefined) return listField(type); break;
    case "input": isOptional = true;
  }
  const isRight = { object: (value) => value !== null && typeof value === "object" && !Array.isArray(value), array: Array.isArray }[type.type];
  return textField(isPart, (text) => (isOptional && text.trim() === "" ? undefined : jsonOf(text, `an ${type.type}`, isRight)), (value) => JSON.stringify(value, null, isPart ? 0 : 1));
}

function choiceField(values, isOptional) {
  const texts = values.map((value) => JSON.stringify(value));
  const none = isOptional ? [new Option("–", "")] : [];
  const node = element("select", {}, [...none, ...values.map((value, index) => new Option(typeof value === "string" ? value : texts[index], texts[index]))]);
  return {
    node, read: () => node.value || undefined, clear() {},
    fill(value) { node.value = texts.find((text) => text === JSON.stringify(value)) ?? node.options[0].value; },
  };
}

function numberField({ type, minimum, maximum }, isOptional) {
  const node = element("input", { type: "number", step: type === "integer" ? "1" : "any", autocomplete: "off" });
  if (Number.isFinite(numberOf(minimum))) node.min = numberOf(minimum);
  if (Number.isFinite(numberOf(maximum))) node.max = numberOf(maximum);
  return {
    node, clear() { node.value = ""; }, fill(value) { node.value = Number.isNaN(numberOf(value)) ? "" : JSON.stringify(value); },
    read() {
      if (isOptional && node.value === "" && !node.validity.badInput) return undefined;
      // The daemon says what does not fit a range, in words of its own.
      if (node.value === "" || node.validity.stepMismatch) throw new Error(node.validationMessage || "Enter a number.");
      // With all its digits; JSON knows neither 007 nor .5, which the field takes.
      return node.value.replace(/^(-?)0+(?=\d)/, "$1").replace(/^(-?)\./, "$10.");
    },
  };
}

function textField(isPart, read, write) {
  const node = isPart ? element("input", { type: "text", autocomplete: "off", dir: "auto" }) : element("textarea", { rows: 3, spellcheck: false, dir: "auto" });
  return { node, read: () => read(node.value), clear() { node.value = ""; }, fill(value) { node.value = value === undefined ? "" : write(value); } };
}

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

// Reads a part, and says which one it is if it cannot be read.
function readPart(name, field) {
  try {
    return field.read();
  } catch (problem) {
    throw new Error(`${name}: ${problem.message}`);
  }
}

// True for parts that nothing has been entered into.
function isBlank(node) {
  return node.tagName === "FIELDSET" && [...node.querySelectorAll("input, select, textarea")].every(({ value }) => value === "");
}

// A field shows the present value of its signal until it is changed by hand.
class Following {
  constructor(field) {
    Object.assign(this, { field, text: null, isChanged: false });
    field.node.addEventListener("input", () => { this.isChanged = true; });
    field.node.addEventListener("click", ({ target }) => { if (target.closest("button")) this.isChanged = true; });
  }

  show(value) {
    const text = JSON.stringify(value);
    if (this.isChanged || text === this.text) return;
    this.text = text;
    this.field.fill(value);
  }

  // Follows again, once its value has been sent.
  release() {
    this.isChanged = false;
  }
}

// The parts of an object, each with its name. Fields that no type is declared of stay as they were filled in.
function objectField({ fields }) {
  let others = {};
  const parts = Object.entries(fields).map(([name, declared]) => {
    const isOptional = declared?.optional === true;
    const type = typeOf(declared);
    return { name, isOptional, field: fieldOf(type, { isOptional, isPart: true }), type };
  });
  const node = element("fieldset", { className: "parts" }, parts.map(({ name, isOptional, field, type }) => {
    const words = [name, ...(isOptional ? [element("small", { textContent: " optional" })] : [])];
    if (field.node.tagName !== "FIELDSET") {
      if (field.node.tagName === "INPUT") field.node.placeholder = type.type === "string" ? "" : hintOf(type);
      return element("label", {}, [element("span", {}, words), field.node]);
    }
    field.node.prepend(element("legend", {}, words));
    return field.node;
  }));
  return {
    node, clear() {},
    read() {
      const texts = [];
      for (const { name, isOptional, field } of parts) {
        if (isOptional && isBlank(field.node)) continue;
        const text = readPart(name, field);
        if (text !== undefined && !(isOptional && text === "[]")) texts.push(`${JSON.stringify(name)}:${text}`);
      }
      return `{${texts.concat(Object.entries(others).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)).join()}}`;
    },
    fill(value) {
      const given = value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
      others = Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(fields, name)));
      for (const { name, field } of parts) field.fill(given[name]);
    },
  };
}

// A list of parts, to which others are added.
function listField({ items }) {
  const type = typeOf(items);
  let parts = [];
  const list = element("ol");
  const more = element("button", { type: "button", textContent: "Add" });
  const node = element("fieldset", { className: "parts" }, [list, more]);
  function add() {
    const part = { field: fieldOf(type, { isPart: true }) };
    const remove = element("button", { type: "button", className: "remove", textContent: "×", title: "Remove" });
    part.item = element("li", {}, [part.field.node, remove]);
    remove.addEventListener("click", () => {
      parts.splice(parts.indexOf(part), 1);
      part.item.remove();
      number();
      more.focus();
    });
    parts.push(part);
    list.append(part.item);
    number();
    return part.field;
  }
  // Each part is called by its place.
  function number() {
    parts.forEach(({ item, field }, index) => {
      field.node.setAttribute("aria-label", `Item ${index + 1}`);
      item.lastChild.setAttribute("aria-label", `Remove item ${index + 1}`);
    });
  }
  more.addEventListener("click", () => add().node.focus());
  return {
    node, clear() {}, read: () => `[${parts.map(({ field }, index) => readPart(`Item ${index + 1}`, field)).join()}]`,
    fill(value) {
      list.replaceChildren();
      parts = [];
      for (const each of Array.isArray(value) ? value : []) add().fill(each);
    },
  };
}

// ---- Sending

let sending = null; // The field for values of the open signal

function showSending(name, declared = null, unit = null) {
  const to = target(name);
  $("send").hidden = !to;
  const type = to?.isAction ? { type: "input" } : typeOf(declared);
  const state = JSON.stringify([type, unit]);
  if (sending?.state === state) return;
  sending = { ...fieldOf(type), state, isProvisional: declared === null };
  $("send-title").textContent = to?.title ?? "";
  $("send-button").textContent = to?.isAction ? "Call" : "Send";
  $("send-label").textContent = labelOf(type) + (unit ? `, in ${unit}` : "");
  const { node } = sending;
  node.id = "send-value";
  node.setAttribute("aria-describedby", "send-problem");
  $("send-field").replaceChildren(node);
  // A field with parts or choices begins with the value of the signal, and so does JSON: mostly one part of it is changed.
  if (node.tagName === "FIELDSET") node.setAttribute("aria-labelledby", "send-label");
  if (["FIELDSET", "SELECT"].includes(node.tagName) || ["object", "array"].includes(type.type)) {
    sending.following = new Following(sending);
    sending.following.show(signals.get(name)?.value);
  }
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
    const body = sending.read() ?? "";
    // Without a type a text would be sent, and be a value as it is.
    const headers = { "Content-Type": "application/json" };
    const answer = await (await ask(to.path, { method: to.method, headers, body })).json();
    if (selected === name) sending.following?.release();
    tell(to.isAction ? answer.outputs.map((output) => JSON.stringify(output)).join("\n") || "done"
      : answer.seq === null ? "taken; the signal's own pipe let nothing through" : `sent: number ${answer.seq}`);
  } catch (problem) {
    tell("", problem.message);
  }
}

// ---- The view

function setState(state, text) {
  $("state").dataset.state = document.body.dataset.state = state;
  $("state").textContent = text;
  $("state").title = "";
  $("state").removeAttribute("data-away");
  if (openView !== null) showTiles();
}

// The page may be live and its values old: nothing comes over a connection that is away.
function showConnections() {
  if ($("state").dataset.state !== "connected") return;
  const away = new Map();
  for (const signal of listed.values()) if (signal.away) away.set(signal.away.connection, signal.away.reason ?? "away");
  const names = [...away.keys()].sort();
  $("state").title = names.map((name) => `${name}: ${away.get(name)}`).join("\n");
  $("state").toggleAttribute("data-away", names.length > 0);
  const shown = names.length > 2 ? `${names.length} connections` : names.join(" and ");
  $("state").textContent = names.length ? `live, ${shown} away` : "live";
}

function take(event, data) {
  if (event === "connected") {
    setState("connected", "live");
    load();
    if (selected) loadEarlier();
  } else if (event === "disconnected") {
    setState("disconnected", "the daemon is gone; waiting for it");
  } else if (event === "list") {
    load();
  } else if (event === "view") {
    const changes = [...Object.entries(data.signals), ...lostBy(data)];
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
let loads = 0;
function load() {
  loading ??= (async () => {
    await new Promise((resume) => setTimeout(resume, 50));
    loading = null;
    try {
      const list = (await (await ask("signals")).json()).signals.filter(({ subscribe, send: may, call }) => subscribe || may || call);
      await loadViews();
      listed.clear();
      for (const signal of list) listed.set(signal.signal, signal);
      for (const { signal, held } of list) if (held) holding.add(signal);
      for (const name of [...signals.keys()]) if (!listed.has(name)) signals.delete(name);
      loads += 1;
      showConnections();
      showList();
      showViewTabs();
      if (loads === 1) await loadSparks();
      showView();
      if (isKiosk && openView === null && views.length) showTab(`view-${views[0].name}`);
      refresh();
      staleDrawing = true;
      if (!$("drawing").hidden) await drawGraphs();
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
  document.querySelector("main").hidden = $("bar").hidden = true;
  $("login").hidden = false;
  showAlarms([]);
  $("login-problem").textContent = problem;
  $("token").focus();
}

function start() {
  $("login").hidden = true;
  document.querySelector("main").hidden = $("bar").hidden = false;
  view?.close();
  view = new EventStream("view", take, (problem) => {
    if (problem?.status === 401) return logOut(sessionStorage.getItem(tokenKey) ? "This token is not known." : "");
    setState("disconnected", problem === silence ? "away: the gateway does not answer; waiting for it" : "the gateway is gone; waiting for it");
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
    if (selected) {
      followHistory();
      loadEarlier();
    }
  }
});

$("login").addEventListener("submit", (submission) => {
  submission.preventDefault();
  sessionStorage.setItem(tokenKey, $("token").value);
  start();
});
$("send").addEventListener("submit", send);
$("compare").addEventListener("submit", compare);
$("compare-name").addEventListener("input", () => { $("compare-problem").textContent = ""; });
$("search").addEventListener("input", search);
$("freeze").addEventListener("click", freeze);
$("close").addEventListener("click", () => select(null));
$("why-value").addEventListener("click", () => explain(whyValue(signals.get(selected)?.seq)));
$("why-not").addEventListener("click", () => explain(whySilence));
$("why-close").addEventListener("click", leaveExplanation);
$("why-drawing").addEventListener("click", showWay);
$("smaller").addEventListener("click", () => zoomByHand(scale / 1.25));
$("larger").addEventListener("click", () => zoomByHand(scale * 1.25));
$("fit").addEventListener("click", fit);
document.addEventListener("keydown", (key) => {
  if (key.key === "Escape" && explanation) return leaveExplanation();
  if (key.key === "Escape" && selected) return select(null);
  if (key.target.matches("input, select, textarea") || key.ctrlKey || key.metaKey || key.altKey) return;
  const actions = { "/": () => $("search").focus(), f: freeze, "+": () => zoomByHand(scale * 1.25), "-": () => zoomByHand(scale / 1.25), 0: fit };
  const action = actions[key.key.toLowerCase()];
  if (!action) return;
  key.preventDefault();
  action();
});
setInterval(() => { if (!document.hidden) refresh(); }, 250);

// The tab that the address names; without one, a kiosk shows the first view once it is known.
const showAddress = (said) => showTab(said.get("view") ? `view-${said.get("view")}` : said.has("drawing") ? "drawing" : "overview");

// An address that is entered in this tab may have another token.
addEventListener("hashchange", () => {
  const said = new URLSearchParams(location.hash.slice(1));
  const isOther = takeToken(said);
  if (isOther) select(null);
  showAddress(said);
  if (isOther) start();
});
showAddress(address);
start();
