// Puts the notebook in the place of the text as soon as it can run, and on a fresh
// canvas when the graphics driver has taken the old one's context back.
import init, * as program from "{glue}";
import { drawn, hold, wake } from "{frames}";
import { failedBefore, showFailure } from "{failure}";
import { shareLinks } from "{links}";
import { explained, fetched, fetchedNow, keepsSite, reachable, reload } from "{loading}";
import { shareText } from "{reading}";

// A folder further down they would be looked for there.
for (const icon of document.querySelectorAll("link[rel=icon]")) icon.href = icon.href;

const state = document.getElementById("state");
const here = document.querySelector("script[data-wasm]");
here.dataset.started = "";
const wasm = new URL(here.dataset.wasm, document.baseURI);
// Where its other parts are, by name; absent where the program is one part.
const parts = program.joinPart && JSON.parse(document.getElementById("assets").textContent);
// One file has its script in itself.
const site = here.src ? new URL(here.dataset.root, document.baseURI).href : undefined;
// Of the page within it; the cover has none.
const folder = site && location.href.slice(site.length).split("/")[0].replace(/[?#].*/, "");
const front = Boolean(site) && document.querySelector("#text > .front");
// What the page is until then.
const MEANWHILE = state.textContent.replace(/^.*?\. /, "");
const asks = new URLSearchParams(location.search);
const embedded = asks.get("embed") === "stage";
// A tab stays in its class until it leaves it.
const inClass = site && !embedded && (asks.has("class") || keepsClass());
if (inClass && !asks.has("class")) {
  asks.set("class", "");
  history.replaceState(history.state, "", `?${asks}${location.hash}`);
}

// From the first picture until the rest of the program is asked for.
const REST_AFTER_MS = 1000;

// The first frame of the right size is waited for no longer: a page in the background draws none.
const FIRST_FRAME_TIMEOUT_MS = 2000;

// A page that stands still for so long says why.
const STANDSTILL_MS = 700;

const REST_ON_ITS_WAY = "This takes the rest of the notebook, which is on its way.";

// Before the next try to draw, in milliseconds.
const PATIENCE_MS = [0, 250, 1000, 3000, 8000];

// MAX_TEXTURE_MAX_ANISOTROPY_EXT
const MAX_ANISOTROPY = 0x84ff;

let notebook;
let canvas;
let gl;
let stopped = false;
let returning = false;
// Where the pointer was last, by the event that told it.
let pointed;

function keepsClass() {
  try {
    return "bindpose.class" in sessionStorage;
  } catch {
    // A browser that keeps nothing.
    return false;
  }
}

// Words at the foot of the page; `wrong` ones stay until they are acted upon.
function say(words, wrong = false, action) {
  state.hidden = !words;
  state.classList.toggle("wrong", wrong);
  state.textContent = words ?? "";
  if (action) {
    const button = document.createElement("button");
    button.textContent = action.label;
    button.onclick = action.run;
    state.append(button);
  }
}

// What the notebook needs and this browser lacks; nothing if all is there.
function missing() {
  if (typeof WebAssembly !== "object") return "WebAssembly";
  const tried = document.createElement("canvas").getContext("webgl2");
  if (!tried) return "WebGL 2";
  tried.getExtension("WEBGL_lose_context")?.loseContext();
}

// A canvas with a context; egui smooths its own edges, and viewports theirs.
function fresh() {
  const made = document.createElement("canvas");
  made.className = "notebook";
  made.tabIndex = 0;
  const context = made.getContext("webgl2", { alpha: false, antialias: false, depth: false });
  if (!context || context.isContextLost()) throw new Error("the graphics driver gives no context");
  // A context can be lost between two calls of one frame: that is no fault of the frame,
  // which goes to its end without drawing.
  const answers = { getError: context.NO_ERROR, checkFramebufferStatus: context.FRAMEBUFFER_COMPLETE };
  for (const [name, answer] of Object.entries(answers)) {
    const ask = context[name].bind(context);
    context[name] = (...of) => (context.isContextLost() ? answer : ask(...of));
  }
  // Asked for with every image of a model. It stays the same, and Chromium would wait for
  // all that is being drawn to answer.
  const ask = context.getParameter.bind(context);
  let anisotropy;
  context.getParameter = (name) => (name === MAX_ANISOTROPY ? (anisotropy ??= ask(name)) : ask(name));
  made.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    if (made === canvas) comeBack();
  });
  return [made, context];
}

// Shows the notebook on a canvas of its own, over the last one. The first stays transparent
// until it has a picture, so that the text is read until then.
async function show() {
  const last = canvas;
  const focused = !last ? !embedded : hasFocus();
  [canvas, gl] = fresh();
  canvas.classList.toggle("unseen", !last);
  document.body.append(canvas);
  // eframe takes the keyboard when it starts; it may be somebody else's.
  const focus = HTMLElement.prototype.focus;
  if (!focused) HTMLElement.prototype.focus = () => {};
  try {
    await notebook.show(canvas);
  } finally {
    HTMLElement.prototype.focus = focus;
    last?.remove();
  }
  if (focused) canvas.focus({ preventScroll: true });
}

// Shows the first canvas as soon as a whole frame is on it. eframe draws its first one before
// it knows the size in pixels, and a canvas that is resized is empty until the next.
async function reveal() {
  const fits = () => Math.abs(canvas.width - canvas.clientWidth * devicePixelRatio) < 2;
  let isLate = false;
  const late = after(FIRST_FRAME_TIMEOUT_MS).then(() => (isLate = true));
  for (let fitting = 0; fitting < 2 && !isLate; fitting = fits() ? fitting + 1 : 0) {
    await Promise.race([drawn(), late]);
  }
  canvas.classList.remove("unseen");
  document.body.classList.add("live");
}

// Is the keyboard the notebook's: its canvas's, its field's for typing, or that of an
// element which a screen reader has gone to?
function hasFocus() {
  return ![null, document.body].includes(document.activeElement);
}

// The context is gone: what is open stays in memory, and goes on on another canvas.
async function comeBack() {
  if (stopped || returning || !notebook) return;
  returning = true;
  hold(true);
  for (const wait of PATIENCE_MS) {
    if (wait > 250) say("The graphics driver has stopped. The notebook waits for it; nothing is lost.");
    await after(wait);
    try {
      notebook.leave();
      await show();
      if (gl.isContextLost()) continue;
      returning = false;
      hold(false);
      say();
      // What it pointed at stays lit.
      if (pointed) {
        const { clientX, clientY } = pointed;
        canvas.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true }));
      }
      return;
    } catch (why) {
      console.warn(`no canvas to draw on yet: ${why}`);
    }
    if (stopped) return;
  }
  returning = false;
  say("The graphics driver gives the notebook nothing to draw on. All is kept as long as this page is open; the address holds the step.", true, {
    label: "Try again",
    run: comeBack,
  });
}

// The program has broken off: nothing of it runs any more. False: that is known.
function stop() {
  if (stopped) return false;
  stopped = true;
  hold(true);
  document.body.classList.remove("live");
  canvas?.remove();
  say();
  return true;
}

// Has the reader done anything here?
let used = false;
for (const act of ["pointerdown", "keydown", "drop"]) {
  addEventListener(act, () => (used = true), { capture: true, once: true, passive: true });
}

// What breaks off before anything was done is opened once more: WebKit's first compiler of
// vector instructions now and then loses what is in memory.
function failed(what, way) {
  if (!stop()) return;
  const again = failedBefore();
  if (used || again) return showFailure(what, way, reload, again);
  console.warn(`opened once more: ${what}`);
  say(`The notebook is loading. ${MEANWHILE}`);
  reload();
}

// What a panic does not tell: too deep a recursion, or an error within the browser.
addEventListener("error", (event) => {
  const { error } = event;
  if (isPartMissing(error)) {
    event.preventDefault();
    if (stop()) lacking(error.cause);
    return;
  }
  const ours = error instanceof WebAssembly.RuntimeError || /wasm-function|\.wasm\b/.test(error?.stack ?? "");
  if (notebook && ours) failed(String(error), error.stack ?? "");
});
addEventListener("unhandledrejection", (event) => {
  if (isPartMissing(event.reason)) {
    event.preventDefault();
    if (stop()) lacking(event.reason.cause);
    return;
  }
  if (notebook && event.reason instanceof WebAssembly.RuntimeError) failed(String(event.reason), event.reason.stack ?? "");
});

// Has the program called a function of a part that cannot be had?
function isPartMissing(why) {
  return Boolean(parts) && why instanceof program.PartMissing;
}

const compiling = {};

// Compiles a part; once, unless it cannot be had.
function compiled(part, tell = () => {}) {
  compiling[part] ??= fetched(new URL(parts[`bindpose-${part}.wasm`], site), tell)
    .then((response) => WebAssembly.compileStreaming(response))
    .catch((why) => {
      delete compiling[part];
      throw why;
    });
  return compiling[part];
}

async function join(part) {
  program.joinPart(part, await compiled(part));
}

// The module of a part, at once: what the reader has done takes it. A request that is on its
// way already is waited for, not repeated.
function compiledNow(part) {
  return new WebAssembly.Module(fetchedNow(new URL(parts[`bindpose-${part}.wasm`], site)));
}

// Shows words when the page stands still for a part, until the function that it returns is
// called. A page cannot draw then, but the browser goes on with an animation that has begun:
// it is set back as long as the page moves.
function watchStandstill() {
  const line = document.createElement("p");
  line.id = "standstill";
  line.setAttribute("aria-hidden", "true");
  line.textContent = REST_ON_ITS_WAY;
  document.body.append(line);
  const appears = line.animate({ opacity: [0, 1] }, { delay: STANDSTILL_MS, duration: 200, fill: "both" });
  const timer = setInterval(() => (appears.currentTime = 0), STANDSTILL_MS / 3);
  return () => {
    clearInterval(timer);
    line.remove();
  };
}

// Says why the notebook is not here, and opens the page anew when asked to, or when the
// cause has passed.
async function lacking(why) {
  const { words, passes } = explained(why);
  say(`${words} This is its text.`, true, { label: "Try again", run: () => reload() });
  if (!passes) return;
  await reachable();
  reload();
}

// Between loss and return nothing reaches a notebook without a canvas.
for (const name of ["pointerdown", "pointerup", "pointermove", "keydown", "keyup", "wheel", "copy", "cut", "paste"]) {
  addEventListener(name, (event) => {
    if (gl?.isContextLost() && event.target === canvas) event.stopImmediatePropagation();
  }, true);
}

addEventListener("mousemove", (event) => {
  pointed = event;
}, true);

// Files that are let go before the whole program is here wait for it, since opening them
// takes more than the first part.
let dropped;
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  addEventListener(name, (event) => {
    if (!parts || !canvas || stopped || document.body.classList.contains("whole")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const files = [...event.dataTransfer.files];
    if (name !== "drop" || !files.length) return;
    dropped = files;
    say(REST_ON_ITS_WAY);
  }, true);
}

function dropAgain() {
  if (!dropped) return;
  const carried = new DataTransfer();
  for (const file of dropped) carried.items.add(file);
  dropped = undefined;
  say();
  canvas.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}

// In somebody else's page the wheel scrolls that page, until the stage is clicked.
if (embedded) {
  document.documentElement.classList.add("embedded");
  addEventListener("wheel", (event) => {
    if (!hasFocus()) event.stopImmediatePropagation();
  }, true);
}

shareLinks(() => canvas, site);
if (!embedded) shareText({ hold, focus: () => canvas?.focus({ preventScroll: true }) });

// Who reads the list below the cover keeps it until they ask for the notebook, or come
// back up.
function isSeenFromTop() {
  const isAtTop = () => scrollY < innerHeight / 4;
  if (isAtTop()) return;
  return new Promise((done) => {
    say("The notebook is here.", false, { label: "Show it", run: done });
    addEventListener("scroll", () => isAtTop() && done(), { passive: true });
  });
}

async function open() {
  say(`The notebook is loading. ${MEANWHILE}`);
  const tell = (how) => say(`The notebook is loading: ${how}. ${MEANWHILE}`);
  try {
    // The first part is for the pages that are opened first, as they open, a second one for
    // all others. Where the rest costs no time, may have been missed once, or where more is
    // asked for, all come before the notebook does.
    const asked = inClass || /\bstep=/.test(location.hash) || self.origin === "null";
    const again = performance.getEntriesByType("navigation")[0]?.type === "reload";
    const early = parts && (keepsSite() || asked || again) ? ["later"] : [];
    if (parts && (early.length || !program.isOpenedFirst(folder))) early.unshift("pages");
    if (parts && inClass) early.push("class");
    for (const part of early) compiled(part).catch(() => {});
    await init({ module_or_path: await fetched(wasm, tell) });
    if (parts) program.loadMissedPartsBy(compiledNow);
    for (const part of early) await join(part);
    if (inClass) await import("{class}");
  } catch (why) {
    lacking(why);
    return;
  }
  if (front) await isSeenFromTop();
  try {
    notebook = new program.Notebook(site, wake, failed);
    await show();
    await reveal();
    say();
    if (gl.isContextLost()) comeBack();
  } catch (why) {
    if (isPartMissing(why) && stop()) lacking(why.cause);
    if (stopped) return;
    if (gl?.isContextLost()) {
      document.body.classList.add("live");
      comeBack();
      return;
    }
    canvas?.remove();
    lacking(why);
    return;
  }
  // After the first picture. What the other pages need is needed soon.
  const end = watchStandstill();
  if (parts) join("pages").catch(() => {});
  await after(REST_AFTER_MS);
  await joinRest();
  end();
}

function after(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

// A lesson waits for its text, which comes with that part.
addEventListener("bindpose-lacks-text", async () => {
  try {
    await compiled("pages");
  } catch (why) {
    const { words, passes } = explained(why);
    say(words, true, { label: "Try again", run: joinRest });
    if (!passes) return;
    await reachable();
    joinRest();
  }
});

async function joinRest() {
  try {
    if (parts) await Promise.all(["pages", "later"].map(join));
    if (!stopped && state.classList.contains("wrong")) say();
    document.body.classList.add("whole");
    dispatchEvent(new Event("bindpose-whole"));
    dropAgain();
  } catch {
    // Asked for again where it is missed, or when the network is back.
    addEventListener("online", joinRest, { once: true });
  }
}

const lacks = missing();
if (lacks) {
  say(`This browser has no ${lacks}, which the notebook needs to run. This is its text. A newer browser, or graphics acceleration switched on in its settings, brings the notebook.`, true);
} else {
  open();
}
