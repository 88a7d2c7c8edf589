// The text of the lesson in the place of the notebook, at the step that is open: for the
// browser's own search, translation, reader mode and selection, which reach no canvas.

const body = document.body;

// `hold` stops the notebook's frames, `focus` gives it the keyboard back.
export function shareText({ hold, focus }) {
  const bar = document.createElement("p");
  bar.id = "reading";
  const back = document.createElement("button");
  back.textContent = "Back to the notebook";
  bar.append("The text of this lesson, to search, translate and copy. ", back);
  back.onclick = leave;

  async function read() {
    if (isReading() || !body.classList.contains("live")) return;
    try {
      await bringText();
    } catch (why) {
      console.warn(`the text of ${page()} does not come: ${why}`);
      return;
    }
    hold(true);
    document.activeElement?.blur();
    body.classList.add("reading");
    body.prepend(bar);
    dispatchEvent(new Event("hashchange"));
  }

  function leave() {
    body.classList.remove("reading");
    bar.remove();
    hold(false);
    // The notebook goes to the step that is read.
    dispatchEvent(new Event("popstate"));
    focus();
  }

  addEventListener("keydown", (event) => {
    const held = event.ctrlKey || event.metaKey;
    if (held && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "f") read();
    // The browser's search takes its own Esc.
    if (event.key === "Escape" && isReading()) leave();
  }, true);
  // Chromium's translation says so; others translate what they find, in this view.
  new MutationObserver(() => {
    if (/\btranslated-/.test(document.documentElement.className)) read();
  }).observe(document.documentElement, { attributeFilter: ["class"] });
}

function isReading() {
  return body.classList.contains("reading");
}

// Whose text stands here: at first that of the page that was opened.
let textOf = page();

function page() {
  return location.origin + location.pathname;
}

// Puts that of the lesson in sight there.
async function bringText() {
  // One file has the texts of all.
  if (location.protocol === "file:") return;
  const text = document.getElementById("text");
  if (location.hash.startsWith("#lesson=")) {
    // A lesson of a course has no page: the program writes its text, as for a printer.
    dispatchEvent(new Event("beforeprint"));
    const main = document.createElement("main");
    main.append(...(document.querySelector("#printed-text > div")?.childNodes ?? []));
    dispatchEvent(new Event("afterprint"));
    text.replaceChildren(main);
    textOf = undefined;
  } else if (textOf !== page()) {
    const response = await fetch(page());
    const whole = new DOMParser().parseFromString(await response.text(), "text/html");
    text.replaceChildren(...whole.getElementById("text").childNodes);
    textOf = page();
  }
}
