// A browser, and the site in `target/web`, or in SITE, handed out to it by `bindpose serve`.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const program = process.env.BINDPOSE ?? join(root, "target/debug/bindpose");
const names = ["chromium", "chromium-browser", "google-chrome"];

// WebGL without a graphics card is drawn by SwiftShader, which has to be allowed.
const flags = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];

export async function startBrowser() {
  return chromium.launch({ executablePath: chromiumPath(), args: flags });
}

// The program of the first of these names that is there; absent: none is.
export function onPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place));
}

function chromiumPath() {
  const path = process.env.CHROMIUM ?? onPath(names);
  if (!path) throw new Error("no Chromium on the path; CHROMIUM may name it");
  return path;
}

export const siteFolder = process.env.SITE ?? join(root, "target/web");

// `{ url, stop() }` of a server on this port, or else on one that is free.
export function startServer(folder = siteFolder, port = 0) {
  return started(["serve", folder, "--port", `${port}`], /(?<url>http:\/\/localhost:\d+\/)/);
}

// `{ url, code, lead, stop() }` of a class; `more` on its command line. `port`: 0 is any.
export function startClass(more = [], env = {}, port = 0) {
  const told = /(?<url>http:\/\/localhost:\d+\/)\?class=(?<code>\w+)&lead=(?<lead>\w+)/;
  return started(["class", siteFolder, "--port", `${port}`, ...more], told, env);
}

async function started(args, told, env = {}) {
  const server = spawn(program, args, { env: { ...process.env, ...env } });
  let errors = "";
  server.stderr.on("data", (part) => (errors += part));
  const ended = new Promise((done) => server.on("close", done));
  const stop = (signal) => {
    server.kill(signal);
    return ended;
  };
  let said = "";
  for await (const part of server.stdout) {
    said += part;
    const found = said.match(told)?.groups;
    if (found) return { ...found, stop };
  }
  throw new Error(`bindpose ${args[0]} ended: ${errors}`);
}

// Runs the program on a command line.
export async function bindpose(...args) {
  const child = spawn(program, args);
  let out = "";
  let errors = "";
  child.stdout.on("data", (part) => (out += part));
  child.stderr.on("data", (part) => (errors += part));
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0) throw new Error(`bindpose ${args.join(" ")}: ${errors}`);
  return out;
}

// A browser and a server for all tests of a file: `site.browser`, `site.url`.
export function site() {
  const shared = {};
  before(async () => {
    const [browser, server] = await Promise.all([startBrowser(), startServer()]);
    Object.assign(shared, { browser, server, url: server.url });
  });
  after(async () => {
    await shared.browser?.close();
    shared.server?.stop();
  });
  return shared;
}
