// The page while the notebook does not run: it stands at the step that the address
// names, and the address follows who reads on.
(() => {
  const steps = () => [...document.querySelectorAll("#text section[id*='step=']")];
  // Is the notebook in sight?
  const live = () => document.body.matches(".live:not(.reading)");

  // The step of an address; values of the notebook may follow it.
  function named() {
    const parts = decodeURIComponent(location.hash.slice(1)).split("&");
    const length = parts[0].startsWith("lesson=") && parts[1]?.startsWith("step=") ? 2 : 1;
    const id = parts.slice(0, length).join("&");
    const number = /(?:^|&)step=(\d+)$/.exec(id)?.[1];
    return document.getElementById(id) ?? (number && steps()[number - 1]);
  }

  function go() {
    if (!live()) named()?.scrollIntoView();
  }

  // So the notebook opens where the reader is by then.
  let moved = false;
  let timer;
  for (const act of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    addEventListener(act, () => { moved = true; }, { once: true, passive: true });
  }
  function follow() {
    if (!moved || live()) return;
    const above = steps().filter((step) => step.getBoundingClientRect().top < innerHeight / 3);
    const step = above.at(-1);
    if (step && step !== named()) history.replaceState(null, "", `#${step.id}`);
  }
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, 150);
  }, { passive: true });

  addEventListener("beforeprint", () => {
    if (live()) return;
    for (const image of document.querySelectorAll(".still img")) image.loading = "eager";
  });

  // The script that says all else does not run: an old browser, or a frame or a site that
  // keeps it off.
  const unstarted = () => {
    const state = document.getElementById("state");
    if (!state || document.querySelector("script[data-started]")) return;
    const link = Object.assign(document.createElement("a"), { href: location.href, target: "_blank" });
    link.textContent = "Open it in a window of its own.";
    state.replaceChildren("The notebook could not be loaded here; this is its text. ", link);
    state.classList.add("wrong");
  };
  document.querySelector("script[data-wasm]")?.addEventListener("error", unstarted);
  setTimeout(unstarted, 20_000);

  // What is wider than the page is scrolled by keys too.
  for (const wide of document.querySelectorAll("#text pre, #text .wide, #text .display")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
  addEventListener("hashchange", go);
  go();
})();
