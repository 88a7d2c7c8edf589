// The page while the notebook does not run: it stands at the step that the address
// names, the address follows who reads on, and pictures come when they are needed.
(() => {
  const steps = [...document.querySelectorAll("#text section[id*='step=']")];
  const live = () => document.body.classList.contains("live");

  // The step of an address; values of the notebook may follow it.
  function named() {
    const parts = decodeURIComponent(location.hash.slice(1)).split("&");
    const length = parts[0].startsWith("lesson=") && parts[1]?.startsWith("step=") ? 2 : 1;
    const id = parts.slice(0, length).join("&");
    const number = /(?:^|&)step=(\d+)$/.exec(id)?.[1];
    return document.getElementById(id) ?? (number && steps[number - 1]);
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
    const above = steps.filter((step) => step.getBoundingClientRect().top < innerHeight / 3);
    const step = above.at(-1);
    if (step && step !== named()) history.replaceState(null, "", `#${step.id}`);
  }
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, 150);
  }, { passive: true });

  // Where the notebook starts at once, no picture is fetched.
  function pictures() {
    for (const still of document.querySelectorAll(".still > noscript")) {
      still.outerHTML = still.textContent;
    }
  }
  const late = setTimeout(pictures, 3000);
  const watch = new MutationObserver(() => {
    const lacking = document.querySelector("#state.wrong");
    if (!live() && !lacking) return;
    clearTimeout(late);
    watch.disconnect();
    if (lacking) pictures();
  });
  watch.observe(document.body, { attributeFilter: ["class"], subtree: true });
  addEventListener("beforeprint", () => { if (!live()) pictures(); });

  // What is wider than the page is scrolled by keys too.
  for (const wide of document.querySelectorAll("#text pre, #text .wide, #text .display")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
  addEventListener("hashchange", go);
  go();
})();
