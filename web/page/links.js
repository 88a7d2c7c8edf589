// Links of the notebook are painted; here they are links for the browser too: a middle
// click or a click with Ctrl opens another tab, and the browser's own menu copies the
// address. `data-link` of what screen readers see says where each of them leads.

const MIDDLE = 1;
const RIGHT = 2;
// There, Ctrl and a click are the right button.
const MAC = /^Mac/.test(navigator.platform);

let menuLink;

// `canvas` gives the one of the notebook; `site` is where its pages are.
export function shareLinks(canvas, site) {
  addEventListener("mousedown", (event) => {
    menuLink?.remove();
    if (event.target !== canvas()) return;
    const { button, clientX, clientY } = event;
    const another = asksForTab(event);
    const link = (another || button === RIGHT || (MAC && event.ctrlKey)) && linkAt(clientX, clientY);
    if (!link) return;
    if (another) {
      keep(event);
      open(address(link, site), "_blank", "noopener");
      return;
    }
    // The browser asks what is there after this event.
    menuLink = document.createElement("a");
    menuLink.className = "under-pointer";
    menuLink.href = address(link, site);
    const { left, top, width, height } = link.getBoundingClientRect();
    Object.assign(menuLink.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    document.body.append(menuLink);
  }, true);
  // The notebook hears of none of that.
  for (const name of ["pointerdown", "pointerup", "mouseup", "click", "auxclick"]) {
    addEventListener(name, (event) => {
      if (asksForTab(event) && event.target === canvas() && linkAt(event.clientX, event.clientY)) keep(event);
    }, true);
  }
  addEventListener("mousemove", (event) => {
    if (event.target !== menuLink) menuLink?.remove();
  }, true);
}

function asksForTab({ button, ctrlKey, metaKey }) {
  return button === MIDDLE || (button === 0 && (MAC ? metaKey : ctrlKey));
}

function keep(event) {
  event.stopImmediatePropagation();
  if (event.type !== "pointerdown") event.preventDefault();
}

// The link at a point, if nothing lies over it.
function linkAt(x, y) {
  const holds = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left <= x && x < right && top <= y && y < bottom;
  };
  const over = [...document.querySelectorAll("#notebook-tree [role=dialog]")].filter(holds).at(-1);
  const links = [...document.querySelectorAll("#notebook-tree [data-link]")].filter(holds);
  return links.find((link) => !over || over.contains(link));
}

// The first page of the site leads on to lesson and step.
function address(link, site) {
  const [, lesson, step] = /^bindpose:\/\/([^/]+)(?:\/(.+))?$/.exec(link.dataset.link);
  const url = new URL(site ?? location.href);
  url.search = location.search;
  url.hash = `lesson=${lesson}${step ? `&step=${step}` : ""}`;
  return url.href;
}
