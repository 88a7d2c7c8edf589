// Keeps the site for use without the network, and says when there is a new version
// of it. A page that came over plain HTTP from another computer may not do that, and
// says nothing.
const root = new URL("../", import.meta.url);

if (isSecureContext && mayKeep()) {
  started().then(keep).catch(() => {});
}

// A frame without an origin of its own may not even ask.
function mayKeep() {
  try {
    return Boolean(navigator.serviceWorker);
  } catch {
    return false;
  }
}

// When the whole program is here: what is kept takes nothing away from what is on its way.
function started() {
  const ready = () => document.body.classList.contains("whole") || !document.getElementById("state");
  return new Promise((done) => {
    if (ready()) return done();
    const watch = new MutationObserver(() => {
      if (!ready()) return;
      watch.disconnect();
      done();
    });
    watch.observe(document.body, { attributeFilter: ["class"] });
  });
}

async function keep() {
  const workers = navigator.serviceWorker;
  const kept = await workers.register(new URL("offline.js", root), { scope: root.pathname, updateViaCache: "none" });
  const look = () => {
    if (kept.waiting && workers.controller) tell(kept.waiting);
  };
  const watch = () => kept.installing?.addEventListener("statechange", look);
  kept.addEventListener("updatefound", watch);
  watch();
  look();
  kept.active?.postMessage("tidy");
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) kept.update().catch(() => {});
  });
}

// A line at the foot, for which the notebook makes room.
function tell(worker) {
  if (document.getElementById("update")) return;
  const line = document.createElement("div");
  line.id = "update";
  line.setAttribute("role", "status");
  line.append("A new version is here.");
  const button = (words, run) => {
    const made = document.createElement("button");
    made.textContent = words;
    made.onclick = run;
    line.append(made);
  };
  button("Load it", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage("load");
  });
  button("Later", () => {
    line.remove();
    document.body.classList.remove("told");
  });
  document.body.append(line);
  document.body.classList.add("told");
}
