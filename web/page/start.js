// Puts the notebook in the place of the text as soon as it can run.
import init, { Notebook } from "{glue}";

const state = document.getElementById("state");
const here = document.querySelector("script[data-wasm]");
const wasm = new URL(here.dataset.wasm, document.baseURI);

let notebook;
let canvas;

// Words at the foot of the page; `wrong` ones stay until they are acted upon.
function say(words, wrong = false, action) {
  state.hidden = !words;
  state.classList.toggle("wrong", wrong);
  state.textContent = words ?? "";
  if (action) {
    const button = document.createElement("button");
    button.textContent = action.label;
    button.onclick = action.run;
    state.append(button);
  }
}

// What the notebook needs and this browser lacks; nothing if all is there.
function missing() {
  if (typeof WebAssembly !== "object") return "WebAssembly";
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "WebGL 2";
  gl.getExtension("WEBGL_lose_context")?.loseContext();
}

async function open() {
  canvas?.remove();
  canvas = document.createElement("canvas");
  canvas.className = "notebook";
  canvas.tabIndex = 0;
  canvas.addEventListener("webglcontextlost", lost);
  document.body.append(canvas);
  notebook = await Notebook.start(canvas);
  document.body.classList.add("live");
  canvas.focus();
  say();
}

// The graphics driver has taken the context back. The address holds the page, so
// a notebook on a fresh canvas shows the same.
async function lost(event) {
  event.preventDefault();
  notebook?.end();
  try {
    await open();
  } catch (wrong) {
    failed(wrong);
  }
}

function failed(wrong) {
  document.body.classList.remove("live");
  canvas?.remove();
  say(`The notebook could not go on (${notebook?.panic_message() ?? wrong}). This address holds the page you were on.`, true, {
    label: "Open it again",
    run: () => location.reload(),
  });
}

addEventListener("error", (event) => {
  if (notebook?.panic_message()) failed(event.message);
});

const lacks = missing();
if (lacks) {
  say(`This browser has no ${lacks}, which the notebook needs to run. This is its text.`, true);
} else {
  try {
    await init({ module_or_path: wasm });
    await open();
  } catch (wrong) {
    failed(wrong);
  }
}
