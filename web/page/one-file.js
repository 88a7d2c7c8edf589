// Unpacks the program that this file carries, and starts it as a page of the site
// would: there is no server to fetch it from.
(async () => {
  const state = document.getElementById("state");
  if (typeof DecompressionStream !== "function" || typeof WebAssembly !== "object") {
    state.textContent = "This browser is too old for the notebook. This is its text.";
    state.classList.add("wrong");
    return;
  }
  const { wasm, glue, start } = JSON.parse(document.getElementById("program").textContent);
  const blob = (parts, type) => URL.createObjectURL(new Blob(parts, { type }));
  const packed = new Blob([Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0))]);
  const bytes = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const script = document.createElement("script");
  script.type = "module";
  script.dataset.wasm = blob([bytes], "application/wasm");
  script.textContent = start.replace("{glue}", blob([glue], "text/javascript"));
  document.body.append(script);
})();
