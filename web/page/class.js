// The line to the class: a socket, or polling where none can be held. What is said and
// told goes through unread; who this page is in the class is kept for this tab.

const KEPT = "bindpose.class";
// Before the next try, in milliseconds; a phone that wakes tries at once.
const PATIENCE_MS = [0, 500, 1000, 2000, 4000];
// A socket that has not opened by then is one that this network does not let through.
const OPENS_MS = 5000;
// Sockets that never opened, before polling is tried.
const SOCKETS = 2;
// A page that was out of sight for longer may have a socket that only looks alive.
const SLEPT_MS = 5000;

const me = known();
let socket;
let tries = 0;
let neverOpened = 0;
let listening = false;
let waiting;
let hiddenAt;
let over = false;
// Of a page that polls.
let answers;

function known() {
  const asked = new URLSearchParams(location.search);
  const code = asked.get("class")?.replace(/\s/g, "").toUpperCase();
  const secret = asked.get("lead");
  if (secret) return keep({ lead: { code, secret } });
  let kept;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    // Nothing is kept.
  }
  if (kept && (!code || code === (kept.come ?? kept.lead).code)) return kept;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return keep({ come: { code, key } });
}

function keep(who) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(who));
  } catch {
    // Then this page comes back as another student.
  }
  return who;
}

function tell(news) {
  dispatchEvent(new MessageEvent("bindpose-class-news", { data: JSON.stringify(news) }));
}

addEventListener("bindpose-class-said", ({ data }) => {
  if (data === "listening") {
    listening = true;
    // The program has read it; the teacher's secret is not for who looks at the screen.
    history.replaceState(history.state, "", location.pathname + location.hash);
    tell(me);
    connect();
    return;
  }
  if (data === "leave") {
    over = true;
    clearTimeout(waiting);
    socket?.close();
    sessionStorage.removeItem(KEPT);
    return;
  }
  const said = JSON.parse(data);
  const record = said.join?.record ?? said.record?.record;
  if (record) {
    me.come.record = record;
    keep(me);
  }
  if (answers) answers(said);
  else if (socket?.readyState === WebSocket.OPEN) socket.send(data);
});

// After the end of a class a student's line ends too; a teacher's answers stay at hand.
function told(one) {
  tell({ told: { told: one } });
  if (me.come && one.state?.state.is_over) {
    over = true;
    socket?.close();
  }
}

function connect() {
  clearTimeout(waiting);
  if (!listening || socket || over) return;
  if (neverOpened >= SOCKETS) {
    poll();
    return;
  }
  const url = new URL("../class/socket", import.meta.url);
  url.protocol = url.protocol.replace("http", "ws");
  const mine = new WebSocket(url);
  socket = mine;
  const slow = setTimeout(() => mine.close(), OPENS_MS);
  let opened = false;
  mine.onopen = () => {
    clearTimeout(slow);
    opened = true;
    neverOpened = tries = 0;
    tell("open");
  };
  mine.onmessage = ({ data }) => told(JSON.parse(data));
  mine.onclose = () => {
    clearTimeout(slow);
    if (socket !== mine || over) return;
    if (!opened) neverOpened += 1;
    lost();
  };
}

function lost() {
  socket = undefined;
  tell("lost");
  waiting = setTimeout(connect, PATIENCE_MS[Math.min(tries++, PATIENCE_MS.length - 1)]);
}

// What a question needs: a hello, what is unsaid, how far the last answer had come.
async function poll() {
  let seen;
  socket = { close() {} };
  try {
    for (;;) {
      const said = [];
      const hello = await new Promise((done) => {
        answers = (one) => (one.join || one.lead ? done(one) : said.push(one));
        tell("open");
      });
      const interrupted = new AbortController();
      // What is said while the answer is awaited is not kept waiting.
      answers = (one) => {
        unsent.push(one);
        interrupted.abort();
      };
      said.unshift(...unsent.splice(0));
      const body = JSON.stringify({ hello, said, ...(seen && { seen }) });
      const answer = await fetch(new URL("../class/poll", import.meta.url), { method: "POST", body, signal: interrupted.signal })
        .then((response) => response.json())
        .catch((why) => {
          if (why.name === "AbortError") return { told: [], seen };
          throw why;
        });
      seen = answer.seen;
      tries = 0;
      answer.told.forEach(told);
      if (over) return;
    }
  } catch {
    answers = undefined;
    // A network that lets no socket through today may do so tomorrow.
    neverOpened = 0;
    lost();
  }
}
const unsent = [];

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") hiddenAt = Date.now();
  else if (Date.now() - hiddenAt > SLEPT_MS) renew();
});
addEventListener("online", renew);

function renew() {
  if (answers) return;
  const old = socket;
  socket = undefined;
  tries = 0;
  old?.close();
  connect();
}
