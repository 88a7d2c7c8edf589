// Firefox and WebKitGTK as Debian packs them, which Playwright does not steer. Both take
// the commands of WebDriver: WebKitGTK through its driver, over HTTP; Firefox by itself,
// over the socket of its Marionette, for Debian has no driver of it. Without a graphics
// card they give WebGL 2 to a window only: each has a screen in memory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as passing } from "node:timers/promises";
import { onPath } from "./browser.mjs";

const timeout = Number(process.env.PATIENCE ?? 60_000);
const firefox = ["firefox-esr", "firefox"];
const webKitDriver = ["WebKitWebDriver"];
const screen = ["Xvfb"];

export const windowed = [
  { name: "Firefox", needs: [firefox, screen], start: startFirefox },
  {
    name: "WebKitGTK",
    needs: [webKitDriver, screen],
    start: startWebKit,
    // Its first compiler of vector instructions loses memory in one of fifty pages, in one of
    // five while its second is switched off (JSC_useOMGJIT=0): the page opens once more, or
    // stands still.
    losesMemory: true,
  },
];

// Why a browser cannot run here; false if it can.
export function lack({ needs }) {
  const missing = needs.filter((names) => !onPath(names)).map((names) => names.join(" or "));
  return missing.length > 0 && `not on this system: ${missing.join(", ")}`;
}

async function startFirefox(programs, { dark, webgl }) {
  const profile = await mkdtemp(join(tmpdir(), "bindpose-firefox-"));
  programs.endings.push(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  const preferences = {
    "marionette.port": 0, // One that is free.
    "ui.systemUsesDarkTheme": Number(dark),
    "webgl.disabled": !webgl,
    "webgl.force-enabled": webgl,
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  await writeFile(join(profile, "user.js"), lines.join(""));
  await programs.startOnScreen(firefox, ["--marionette", "--no-remote", "--profile", profile]);
  const port = await eventually(() => readFile(join(profile, "MarionetteActivePort"), "utf8"));
  const send = await overMarionette(Number(port));
  await send(NEW_SESSION);
  return send;
}

async function startWebKit(programs, { dark, webgl }) {
  const port = await freePort();
  await programs.startOnScreen(webKitDriver, [`--port=${port}`]);
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(`${url}/status`));
  const args = ["--automation", `--enable-webgl=${webgl}`];
  if (dark) args.push("--dark-mode");
  const send = overHttp(url);
  await send(NEW_SESSION, { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { args } } } });
  return send;
}

// What runs for one browser.
class Programs {
  said = "";
  // In the order of the beginnings.
  endings = [];

  // The X server takes a number that is free, and tells it.
  async startOnScreen(names, args) {
    const shape = ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
    const server = this.start(screen, shape, { stdio: ["ignore", "ignore", "pipe", "pipe"] });
    const [number] = await Promise.race([once(server.stdio[3], "data"), once(server, "close")]);
    const env = { ...process.env, DISPLAY: `:${String(number).trim()}`, LIBGL_ALWAYS_SOFTWARE: "1" };
    delete env.WAYLAND_DISPLAY;
    this.start(names, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  }

  // With all that it starts in its turn, which a driver that is killed leaves behind.
  start(names, args, options) {
    const child = spawn(onPath(names), args, { ...options, detached: true });
    child.stderr.on("data", (part) => (this.said += part));
    const ended = once(child, "exit");
    this.endings.push(async () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // All of them have ended.
      }
      await ended;
      child.stderr.destroy();
    });
    return child;
  }

  async end() {
    for (const ending of this.endings.reverse()) await ending();
  }
}

// What is sent, by the names of both.
const NEW_SESSION = { marionette: "NewSession", method: "POST", path: "" };
const DELETE_SESSION = { marionette: "DeleteSession", method: "DELETE", path: "" };
const NAVIGATE = { marionette: "Navigate", method: "POST", path: "/url" };
const REFRESH = { marionette: "Refresh", method: "POST", path: "/refresh" };
const EXECUTE = { marionette: "ExecuteScript", method: "POST", path: "/execute/sync" };
const PERFORM = { marionette: "PerformActions", method: "POST", path: "/actions" };
const SET_WINDOW = { marionette: "SetWindowRect", method: "POST", path: "/window/rect" };
const SCREENSHOT = { marionette: "TakeScreenshot", method: "GET", path: "/screenshot" };

function overHttp(url) {
  let session = "";
  return async ({ method, path }, parameters = {}) => {
    const body = method === "POST" ? JSON.stringify(parameters) : undefined;
    const signal = AbortSignal.timeout(timeout);
    const answer = await fetch(`${url}/session${session}${path}`, { method, body, signal });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    if (value?.sessionId) session = `/${value.sessionId}`;
    return value;
  };
}

// A message is its length in bytes, a colon, and JSON. Firefox speaks first, of itself;
// it answers one command after the other.
async function overMarionette(port) {
  const socket = connect(port, "127.0.0.1");
  const messages = parted(socket);
  await messages.next();
  let id = 0;
  return async ({ marionette }, parameters = {}) => {
    const message = JSON.stringify([0, ++id, `WebDriver:${marionette}`, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const { value, done } = await messages.next();
    if (done) throw new Error("Firefox has ended");
    const [, , error, result] = value;
    if (error) throw new Error(`${error.error}: ${error.message}`);
    return result?.value ?? result;
  };
}

async function* parted(socket) {
  let received = Buffer.alloc(0);
  for await (const part of socket) {
    received = Buffer.concat([received, part]);
    for (let colon; (colon = received.indexOf(":")) > 0; ) {
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (received.length < end) break;
      yield JSON.parse(received.subarray(colon + 1, end));
      received = received.subarray(end);
    }
  }
}

// A browser with one page.
export class Windowed {
  // `dark`: the system's theme. `webgl`: does the browser have it?
  static async start(browser, { dark = false, webgl = true } = {}) {
    const programs = new Programs();
    try {
      const send = await browser.start(programs, { dark, webgl });
      await send(SET_WINDOW, { width: 1280, height: 880 });
      return new Windowed(send, programs);
    } catch (cause) {
      await programs.end();
      throw new Error(`${browser.name} does not start: ${programs.said}`, { cause });
    }
  }

  constructor(send, programs) {
    this.send = send;
    this.programs = programs;
  }

  async goTo(url) {
    await this.send(NAVIGATE, { url });
  }

  async reload() {
    await this.send(REFRESH);
  }

  // What a function answers that runs in the page.
  ask(question, ...args) {
    return this.send(EXECUTE, { script: `return (${question})(...arguments)`, args });
  }

  // The answer that fits, as soon as there is one.
  async when(question, fits, ...args) {
    return eventually(async () => {
      const answer = await this.ask(question, ...args);
      if (!fits(answer)) throw new Error(`${question} stays ${JSON.stringify(answer)}`);
      return answer;
    });
  }

  // A key by the number that WebDriver gives it.
  async press(value) {
    const actions = [{ type: "keyDown", value }, { type: "keyUp", value }];
    await this.send(PERFORM, { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  // By the mouse, from the middle of a box; each thing done is seen by a frame of its own,
  // however slowly they are drawn.
  async drag(box, right) {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const move = (x) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 200 });
    const [down, up] = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));
    const done = [move(x), down, move(x + right), up];
    const actions = done.flatMap((action) => [action, { type: "pause", duration: 700 }]);
    await this.send(PERFORM, { actions: [{ type: "pointer", id: "mouse", actions }] });
  }

  async screenshot() {
    return Buffer.from(await this.send(SCREENSHOT), "base64");
  }

  async end() {
    await this.send(DELETE_SESSION).catch(() => {});
    await this.programs.end();
  }
}

async function eventually(work) {
  for (const end = Date.now() + timeout; ; await passing(50)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

// WebKitGTK's driver chooses none by itself.
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
