// What stands on the page when the program has broken off: that nothing is lost,
// where the work is, how to go on, and what a report of the fault needs.

const SETTINGS = "bindpose.settings";
const FAILURES = "bindpose.failures";
// A page that fails so soon after it was opened will fail again.
const SOON_MS = 20_000;

// `what` is what the program said, `way` the calls that led there; `reload` opens the
// page anew when there is a server to give it, and is told what to call until then;
// `again`: it has failed shortly before, too.
export function showFailure(what, way, reload, again) {
  const panel = element("section", { id: "failure", role: "alert" });
  panel.append(
    element("h1", {}, "The notebook has stopped"),
    element("p", {}, "By a fault of the program; you have done nothing wrong. Your progress and settings are saved, and this link holds the page you were on, with its values:"),
    copied("the link to the page", element("input", { readOnly: true, value: location.href })),
  );
  const ways = element("p", { className: "ways" });
  const waits = element("p", { role: "status" });
  ways.append(button("Open it again", () => reload(() => {
    waits.textContent = "The server of this page does not answer. The page opens again by itself when it does.";
  })));
  if (again) {
    ways.append(button("Open the step as the lesson has it", () => goTo(bareAddress())));
    ways.append(button("Open with fresh settings", openFresh));
  }
  panel.append(ways, waits);
  if (again) {
    panel.append(element("p", {}, "It has stopped twice in a short time. Fresh settings take away nothing: yours stay in this browser’s storage for this site, under another name, and can be saved as a file here first."));
    if (stored()) panel.append(element("p", {}, "", [saved()]));
  }
  const details = element("details", {}, "", [element("summary", {}, "What happened, for a report")]);
  details.append(copied("what happened", element("textarea", { readOnly: true, rows: 8, value: report(what, way) })));
  panel.append(details);
  document.getElementById("failure")?.remove();
  document.body.prepend(panel);
  panel.querySelector(".ways button").focus();
}

// Notes this failure; has there been one shortly before?
export function failedBefore() {
  try {
    const before = Number(sessionStorage.getItem(FAILURES) ?? 0);
    sessionStorage.setItem(FAILURES, Date.now());
    return before > 0 && performance.now() < SOON_MS && Date.now() - before < 5 * SOON_MS;
  } catch {
    return performance.now() < SOON_MS;
  }
}

function report(what, way) {
  return [what, "", location.href, navigator.userAgent, `${innerWidth} × ${innerHeight} at ${devicePixelRatio}`, "", way].join("\n");
}

// Lesson and step, without values.
function bareAddress() {
  const parts = location.hash.slice(1).split("&");
  const bare = parts.filter((part, at) => at < 2 && /^(lesson|step)=/.test(part));
  return `${location.pathname}${location.search}#${bare.join("&")}`;
}

function goTo(address) {
  history.replaceState(null, "", address);
  location.reload();
}

function stored() {
  try {
    return localStorage.getItem(SETTINGS);
  } catch {
    return null;
  }
}

// Puts the settings aside, under a name that nothing has.
function openFresh() {
  const settings = stored();
  if (settings) {
    let name = `${SETTINGS}.aside`;
    for (let number = 2; localStorage.getItem(name) !== null; number += 1) name = `${SETTINGS}.aside-${number}`;
    // Moved, not copied: there may be no room for both.
    localStorage.removeItem(SETTINGS);
    try {
      localStorage.setItem(name, settings);
    } catch {
      localStorage.setItem(SETTINGS, settings);
    }
  }
  goTo(bareAddress());
}

function saved() {
  const file = new Blob([stored()], { type: "application/json" });
  return element("a", { href: URL.createObjectURL(file), download: "settings.json" }, "Save settings and progress as a file");
}

// A text that can be marked, and a button that copies it.
function copied(name, field) {
  field.setAttribute("aria-label", name);
  field.onfocus = () => field.select();
  const copy = button("Copy", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Without a secure address there is only the old way.
      document.execCommand("copy");
    }
    copy.textContent = "Copied";
  });
  copy.setAttribute("aria-label", `Copy ${name}`);
  return element("p", { className: "copied" }, "", [field, copy]);
}

function button(words, run) {
  return element("button", { type: "button", onclick: run }, words);
}

function element(name, properties, words = "", inner = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  if (words) made.textContent = words;
  made.append(...inner);
  return made;
}
