// What of the site is kept, so that it opens without the network. A new version is
// kept beside the one in use until that is closed, or until the reader asks for it.
const FILES = {files};
const SITE = `bindpose ${registration.scope} `;
const VERSION = `${SITE}{version}`;
// How long a class is waited for where the first page is kept.
const CLASS_TIMEOUT_MS = 2000;
const ASSETS = new URL("assets/", registration.scope).href;

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("message", (event) => {
  if (event.data === "load") skipWaiting();
  if (event.data === "tidy") event.waitUntil(tidy());
});
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(answer(event.request));
});

async function fill() {
  const cache = await caches.open(VERSION);
  await Promise.all(FILES.map(async (file) => {
    const url = new URL(file, registration.scope).href;
    // The name of an asset is that of its content: one kept before is the same.
    const named = url.startsWith(ASSETS);
    const mode = { cache: named ? "default" : "no-cache" };
    let response = (named && await kept(url)) || await fetch(url, mode);
    // A class answers the first page with the way into it, which is for now alone.
    if (!named && mayNotBeKept(response)) response = await fetch(`${url}index.html`, mode);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    if (!mayNotBeKept(response)) await cache.put(url, response);
  }));
}

function mayNotBeKept(response) {
  return /\bno-store\b/i.test(response.headers.get("cache-control"));
}

// Older versions go when no page can be in the middle of one.
async function tidy() {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length > 1) return;
  const names = await caches.keys();
  const newest = registration.waiting || registration.installing;
  const old = names.filter((name) => name.startsWith(SITE) && name !== VERSION);
  if (!newest) await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(request) {
  return await answerOfClass(request) ?? answerOfSite(request);
}

// What a class at this address answers, if there is one: it decides who comes in, and may be
// there today where the site was yesterday, or the other way round.
async function answerOfClass(request) {
  if (request.mode !== "navigate") return undefined;
  const { href, pathname, searchParams } = new URL(request.url);
  if (searchParams.has("class")) return fetch(request).catch(() => undefined);
  if (pathname !== new URL(registration.scope).pathname) return undefined;
  const late = new Promise((done) => setTimeout(done, CLASS_TIMEOUT_MS));
  const head = fetch(href, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  const answered = await Promise.race([head, late]);
  return answered && mayNotBeKept(answered) ? fetch(request) : undefined;
}

async function answerOfSite(request) {
  const url = new URL(request.url);
  url.search = url.hash = "";
  url.pathname = url.pathname.replace(/\/index\.html$/, "/");
  const cache = await caches.open(VERSION);
  const found = await cache.match(url.href, { ignoreVary: true });
  if (found) return found;
  if (request.mode === "navigate" && await cache.match(`${url.href}/`, { ignoreVary: true })) {
    return Response.redirect(`${url.href}/${new URL(request.url).search}`, 302);
  }
  const named = url.href.startsWith(ASSETS);
  const other = named && await kept(url.href);
  if (other) return other;
  const response = await fetch(request);
  if (named && response.status === 200 && !mayNotBeKept(response)) await cache.put(url.href, response.clone());
  return response;
}

// Of any version of this site.
async function kept(url) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(SITE)) continue;
    const found = await (await caches.open(name)).match(url, { ignoreVary: true });
    if (found) return found;
  }
}
