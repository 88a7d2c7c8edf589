// Fetches the program, says how far that is when it takes long, and why it did not come.

// Before that, nothing is said: most have it by then.
const SAID_AFTER_MS = 1500;
const MB = 1e6;
// Until a server is asked again that gave no answer; twice as long each time.
const ASKED_AGAIN_MS = 5000;
const LONGEST_MS = 60_000;

// A module without anything in it, and one with vector instructions, the newest that the
// program has: which of them a browser takes tells why it does not take the program.
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const VECTORS = Uint8Array.of(...EMPTY, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

// The answer of the server, to be compiled while it comes. `tell` is given words.
export async function fetched(url, tell) {
  const response = await fetch(url);
  if (!response.ok) throw serverError(response.status);
  const headers = { "content-type": "application/wasm" };
  if (!response.body || typeof TransformStream !== "function") return new Response(await response.blob(), { headers });
  const began = performance.now();
  // What is packed on its way says no length of what comes out.
  const packed = response.headers.get("content-encoding");
  const whole = packed ? 0 : Number(response.headers.get("content-length") ?? 0);
  let got = 0;
  const counted = new TransformStream({
    transform(part, out) {
      got += part.byteLength;
      if (performance.now() - began > SAID_AFTER_MS) {
        const megabytes = (got / MB).toFixed(1);
        tell(whole ? `${megabytes} of ${(whole / MB).toFixed(1)} MB` : `${megabytes} MB`);
      }
      out.enqueue(part);
    },
  });
  return new Response(response.body.pipeThrough(counted), { headers });
}

// The bytes of a file, at once; the page stands still until they are here.
export function fetchedNow(url) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  // Bytes as letters: a request that is waited for gives nothing else.
  request.overrideMimeType("text/plain; charset=x-user-defined");
  try {
    request.send();
  } catch {
    throw new TypeError("network error");
  }
  if (request.status !== 200) throw serverError(request.status);
  const letters = request.responseText;
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

function serverError(status) {
  return Object.assign(new Error(`the server answers ${status}`), { status });
}

// Why the program did not come or does not start, as a sentence, and whether it may pass
// by itself.
export function explained(why) {
  if (!isCompiled(EMPTY)) {
    return { words: "This site does not allow programs: its Content-Security-Policy lacks 'wasm-unsafe-eval'. Whoever runs the site can add it." };
  }
  if (!WebAssembly.validate(VECTORS)) {
    return { words: "This browser is too old for the notebook: it lacks the vector instructions of WebAssembly (Chrome 91, Firefox 89 and Safari 16.4 have them)." };
  }
  if (why?.status) {
    return { words: `A part of the notebook is not on the server (it answers ${why.status}). If the site was renewed meanwhile, loading this page again helps.` };
  }
  if (why instanceof RangeError || /memory/i.test(why?.message)) {
    return { words: "This device has not enough memory left for the notebook. Closing other pages helps." };
  }
  if (why instanceof WebAssembly.CompileError || why instanceof WebAssembly.LinkError) {
    return { words: "The notebook came damaged, or in parts of two versions. Loading this page again helps." };
  }
  if (isUnanswered(why) && self.origin === "null") {
    return { words: "This page stands in a frame that may not fetch the notebook." };
  }
  if (isUnanswered(why)) {
    const words = navigator.onLine ? "The server of the notebook cannot be reached." : "There is no network.";
    return { words: `${words} The notebook comes by itself when it is back.`, passes: true };
  }
  return { words: `The notebook could not be opened (${why?.message ?? why}).` };
}

// What browsers say where no answer came, or not all of it: Chromium, Firefox, Safari.
function isUnanswered(why) {
  return why instanceof TypeError && /fetch|network|load failed/i.test(why.message);
}

function isCompiled(bytes) {
  try {
    return Boolean(new WebAssembly.Module(bytes));
  } catch {
    return false;
  }
}

// Until the server answers again.
export async function reachable() {
  for (let wait = ASKED_AGAIN_MS; ; wait = Math.min(2 * wait, LONGEST_MS)) {
    await new Promise((done) => {
      setTimeout(done, wait);
      addEventListener("online", done, { once: true });
    });
    if (await answers()) return;
  }
}

// Opens this page anew, when there is somebody to give it: what stands here is better
// than the browser's own page of an error. `tell` is called where that takes a while.
export async function reload(tell) {
  if (!(await answers())) {
    tell?.();
    await reachable();
  }
  location.reload();
}

// Would the browser get this page?
async function answers() {
  if (location.protocol === "file:" || keepsSite()) return true;
  try {
    return (await fetch(location.href, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

// Is the site kept here, so that it opens without the network?
export function keepsSite() {
  try {
    return Boolean(navigator.serviceWorker?.controller);
  } catch {
    // A frame without an origin of its own may not even ask.
    return false;
  }
}
