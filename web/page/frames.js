// Lets the page sleep between frames. eframe asks the browser for the next frame
// after every one, drawn or not: sixty wake-ups a second of a page that stands
// still. Here its questions wait until something has happened.

// A request of egui is drawn twice, and an event may be seen one frame later.
const AWAKE_FRAMES = 5;

// Delays are rounded up to this, so that few timers stand for many requests.
const SLOT_MS = 40;

// A drag is drawn in one frame a move. The two frames more that egui asks for after any
// event come when it rests for so long: the next move need not wait for them.
const REST_MS = 100;

// No timer runs longer; whoever asks for later asks for never.
const LONGEST_MS = 24 * 3600 * 1000;

// All that eframe listens to, and what may change what it asks the page about.
const EVENTS = [
  "keydown", "keyup", "beforeinput", "input", "compositionstart", "compositionupdate", "compositionend",
  "pointerdown", "pointermove", "pointerup", "pointercancel", "mousemove", "mouseleave", "mouseout",
  "touchstart", "touchmove", "touchend", "touchcancel", "wheel", "gesturestart", "gesturechange", "gestureend",
  "copy", "cut", "paste", "dragenter", "dragover", "dragleave", "drop", "contextmenu",
  "focus", "blur", "focusin", "focusout", "visibilitychange", "resize", "fullscreenchange",
  "load", "pageshow", "pagehide", "popstate", "hashchange",
];

// What has happened since the last frame; of several the greatest.
const [NOTHING, DRAG, OTHER] = [0, 1, 2];

const waiting = new Map();
// Called after the next frame.
let afterFrame = [];
const slots = new Set();
const ask = window.requestAnimationFrame.bind(window);
const drop = window.cancelAnimationFrame.bind(window);
let awake = AWAKE_FRAMES;
let asked = false;
let held = false;
let last = 0;
let news = NOTHING;
// Is a frame drawn without news?
let quiet = false;
// Did the last one of these ask for another? Then something moves by itself.
let moves = false;
let restUntil = 0;

// Frames are wanted after so many milliseconds.
export function wake(ms) {
  if (ms > LONGEST_MS) return;
  if (ms > SLOT_MS) {
    const slot = Math.ceil((performance.now() + ms) / SLOT_MS);
    if (slots.has(slot)) return;
    slots.add(slot);
    setTimeout(() => {
      slots.delete(slot);
      wake(0);
    }, slot * SLOT_MS - performance.now());
    return;
  }
  awake = AWAKE_FRAMES;
  moves ||= quiet;
  next();
}

// No frame comes until they are let go: there is nothing to draw on.
export function hold(on) {
  held = on;
  if (!on) wake(0);
}

// One frame of the browser serves all who wait for one.
function next() {
  if (asked || held || awake <= 0 || waiting.size === 0 || performance.now() < restUntil) return;
  asked = true;
  ask((time) => {
    asked = false;
    if (held) return;
    awake -= 1;
    const callbacks = [...waiting.values()];
    waiting.clear();
    quiet = news === NOTHING;
    if (quiet) moves = false;
    if (news === DRAG && !moves) rest();
    news = NOTHING;
    for (const callback of callbacks) callback(time);
    quiet = false;
    const done = afterFrame;
    afterFrame = [];
    for (const tell of done) tell();
  });
}

// Until the notebook has drawn a frame.
export function drawn() {
  wake(0);
  return new Promise((done) => afterFrame.push(done));
}

function rest() {
  restUntil = performance.now() + REST_MS;
  setTimeout(next, REST_MS + 1);
}

function happens({ type, buttons }) {
  const drag = type.endsWith("move") && buttons !== 0;
  news = Math.max(news, drag ? DRAG : OTHER);
  restUntil = 0;
  wake(0);
}

// The numbers are none that the browser gives.
window.requestAnimationFrame = (callback) => {
  last -= 1;
  waiting.set(last, callback);
  next();
  return last;
};
window.cancelAnimationFrame = (id) => {
  if (!waiting.delete(id)) drop(id);
};

for (const name of EVENTS) {
  window.addEventListener(name, happens, { capture: true, passive: true });
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => wake(0));
