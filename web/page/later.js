// The second part of the program: functions that no page needs before it is live.
// Joined to what wasm-bindgen writes, by `cargo xtask web`.
//
// The first part calls placeholders in their stead; they fetch the second part, if
// it is not here yet, put its functions into the table that both use, and call the
// one that was meant. Usually it is here: it is fetched as soon as the page is live.

let secondPart;
let fetching = false;

function secondPartUrl() {
  const files = JSON.parse(document.getElementById("assets").textContent);
  return new URL(files["bindpose-later.wasm"], document.baseURI);
}

function joinSecondPart(module) {
  secondPart ??= new WebAssembly.Instance(module, { ...__wbg_get_imports(), primary: wasm });
}

// At once, since who calls a function waits for it.
function needSecondPart() {
  if (secondPart) return;
  const url = secondPartUrl();
  // Under its own name it would wait for the one that is on its way, which waits for us.
  if (fetching) url.search = "at-once";
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  // Bytes as characters: this kind of request gives nothing else.
  request.overrideMimeType("text/plain; charset=x-user-defined");
  request.send();
  if (request.status >= 400) throw new Error(`the second part of the program: ${request.status}`);
  const bytes = Uint8Array.from(request.responseText, (character) => character.charCodeAt(0));
  joinSecondPart(new WebAssembly.Module(bytes));
}

// By the number of the function's place in the table.
const placeholders = new Proxy({}, {
  get: (_, place) => (...values) => {
    needSecondPart();
    return wasm["%table"].get(Number(place))(...values);
  },
});

async function fetchSecondPart() {
  if (secondPart) return;
  fetching = true;
  try {
    joinSecondPart(await WebAssembly.compileStreaming(fetch(secondPartUrl())));
  } catch {
    // Tried again where it is needed.
  }
  fetching = false;
}

const live = () => document.body.classList.contains("live");
new MutationObserver((_, observer) => {
  if (!live()) return;
  observer.disconnect();
  // After the first picture.
  setTimeout(fetchSecondPart, 1000);
}).observe(document.body, { attributes: true, attributeFilter: ["class"] });
