// The main ways through the notebook in the browsers that Playwright does not steer here.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, suite, test } from "node:test";
import { setTimeout as passing } from "node:timers/promises";
import { startServer } from "./browser.mjs";
import { untilEqual } from "./notebook_page.mjs";
import { brightness, difference, isBlank } from "./pictures.mjs";
import { Windowed, lack, windowed } from "./webdriver.mjs";

const HALF = "40-bone-grid/#step=half-of-each";
const WEIGHT = 'input[type=range][aria-label="weight of joint 0 on v2"]';
const VIEWPORT = "[role=img][aria-label^=Viewport]";
const REST = "/bindpose-later-";
const RIGHT = "\uE014";

let site;
before(async () => (site = await watchedSite()));
after(() => site?.end());

// The site, whose pages tell what goes wrong in them: drivers do not. The second part of
// the program comes when `rest` has.
async function watchedSite() {
  const { url, stop } = await startServer();
  const site = { complaints: [], rest: undefined };
  const server = createServer(async (request, response) => {
    if (request.url === "/complaint") {
      for await (const words of request) site.complaints.push(String(words));
      response.end();
      return;
    }
    if (request.url.includes(REST)) await site.rest;
    const answer = await fetch(new URL(request.url, url));
    if (!answer.ok) site.complaints.push(`${answer.status} ${request.url}`);
    const type = answer.headers.get("content-type");
    response.writeHead(answer.status, { "content-type": type });
    const body = Buffer.from(await answer.arrayBuffer());
    const watched = type.startsWith("text/html");
    response.end(watched ? String(body).replace("<head>", `$&<script>(${watch})()</script>`) : body);
  }).listen(0, "localhost");
  await once(server, "listening");
  site.url = `http://localhost:${server.address().port}/`;
  site.end = () => {
    server.closeAllConnections();
    server.close();
    stop();
  };
  return site;
}

// Runs in the page before any script of its own.
function watch() {
  const tell = (words) => navigator.sendBeacon("/complaint", String(words));
  const { error, warn } = console;
  console.error = (...words) => {
    tell(words.join(" "));
    error.apply(console, words);
  };
  console.warn = (...words) => {
    if (String(words[0]).startsWith("opened once more: ")) tell(words[0]);
    warn.apply(console, words);
  };
  // What the page takes care of is no fault of its.
  const hear = (event) => setTimeout(() => event.defaultPrevented || tell(event.message ?? event.reason));
  addEventListener("error", hear);
  addEventListener("unhandledrejection", hear);
}

for (const browser of windowed) {
  suite(browser.name, { skip: lack(browser) }, () => {
    let page;
    before(async () => (page = await Windowed.start(browser)));
    after(() => page?.end());

    // A browser that loses memory may break off any way, or stand still, which is no fault
    // of the page's: then another one tries again.
    function way(name, walk) {
      test(name, async () => {
        for (let tries = browser.losesMemory ? 4 : 1; ; tries -= 1) {
          try {
            await walk();
            assert.deepEqual(site.complaints, [], "errors on the console");
            return;
          } catch (why) {
            if (tries === 1) throw why;
            console.log(`another ${browser.name}, after: ${why.message}`);
            await page.end();
            page = await Windowed.start(browser);
          } finally {
            site.complaints.length = 0;
          }
        }
      });
    }

    // Later visits have all of the program at once, from what the site keeps.
    way("on the first visit nothing waits for the second part but what takes it", async () => {
      let release;
      site.rest = new Promise((done) => (release = done));
      try {
        await open(page, "20-bind-pose/", "live");
        // The menu is of the second part. While the page waits for that, it answers nobody.
        const pressed = page.ask(press, "Export");
        await passing(500);
        release();
        await pressed;
      } finally {
        // The tests that follow need it.
        release();
      }
      await page.when(hasDialog, Boolean, "Export");
      await isLive(page);
    });

    way("a lesson has its picture, and keys turn its pages", async () => {
      await open(page, "40-bone-grid/");
      const picture = await still(page);
      assert.ok(!isBlank(picture, await box(page, VIEWPORT)), "the picture is of one colour");
      await page.press(RIGHT);
      await page.when(fragment, (said) => said.startsWith("#step=the-same-mistake-again"));
      assert.ok(!picture.equals(await still(page)), "the picture followed");
    });

    way("a slider follows the mouse, and the address follows it", async () => {
      await open(page, HALF);
      const before = await still(page);
      const viewport = await box(page, VIEWPORT);
      const slider = await box(page, WEIGHT);
      await page.drag(slider, slider.width / 4);
      const weight = Number(await page.when(value, (weight) => weight !== "0.5", WEIGHT));
      assert.ok(weight > 0.6 && weight < 0.95, `${weight}`);
      await page.when(fragment, (said) => /weights?\.2=/.test(said));
      const { part } = difference(before, await still(page), 0.1, viewport);
      assert.ok(part > 0, "the picture followed");
    });

    way("an address opens at its step with its values, and a reload keeps them", async () => {
      const path = `${HALF}&b0=0.5`;
      await open(page, path);
      const opened = await still(page);
      await page.reload();
      await isLive(page);
      assert.equal(await page.ask(fragment), path.slice(path.indexOf("#")));
      assert.equal(await page.ask(() => document.title), "Half of each · The 2D bone grid · Bindpose");
      await untilEqual(() => page.screenshot(), opened, "after a reload");
    });

    way("a dark system has a dark notebook", async () => {
      const dark = await Windowed.start(browser, { dark: true });
      try {
        await open(dark, HALF);
        await open(page, HALF);
        const [night, day] = [await still(dark), await still(page)].map(brightness);
        assert.ok(night < 0.4 && day > 0.6, `${night} against ${day}`);
      } finally {
        await dark.end();
      }
    });

    way("without WebGL 2 the text stands, and says why", async () => {
      const plain = await Windowed.start(browser, { webgl: false });
      try {
        await plain.goTo(site.url + HALF);
        await plain.when(state, (said) => said.startsWith("This browser has no WebGL 2"));
        assert.equal(await plain.ask(() => document.querySelector("#text h1").checkVisibility()), true);
      } finally {
        await plain.end();
      }
    });
  });
}

// From an empty page: a fragment alone would load nothing.
async function open(page, path, until = "live whole") {
  await page.goTo("about:blank");
  await page.goTo(site.url + path);
  await page.when(progress, (said) => said.startsWith(until));
}

async function isLive(page) {
  await page.when(progress, (said) => said.startsWith("live whole"));
}

// Until two pictures in a row are the same.
async function still(page) {
  let last = await page.screenshot();
  for (let tries = 0; tries < 40; tries++) {
    await passing(200);
    const picture = await page.screenshot();
    if (picture.equals(last)) break;
    last = picture;
  }
  return last;
}

// The box of an element in pixels of the page, as soon as it is there.
function box(page, selector) {
  return page.when((selector) => {
    const found = document.querySelector(`#notebook-tree ${selector}`)?.getBoundingClientRect();
    return found && { x: found.x, y: found.y, width: found.width, height: found.height };
  }, Boolean, selector);
}

// What pages are asked.
const fragment = () => location.hash;
const value = (selector) => document.querySelector(`#notebook-tree ${selector}`)?.value;
const state = () => document.getElementById("state").textContent;
const press = (name) => document.querySelector(`#notebook-tree [role=button][aria-label="${name}"]`).click();
const hasDialog = (name) => !!document.querySelector(`#notebook-tree [role=dialog][aria-label="${name}"]`);
// What a test that waits in vain then prints.
const progress = () => {
  const failure = document.querySelector("#failure textarea")?.value ?? "";
  return `${document.body.className} ${document.getElementById("state").textContent}${failure}`;
};
