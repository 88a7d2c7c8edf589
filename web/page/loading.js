// Fetches the program, and says how far that is when it takes long.

// Before that, nothing is said: most have it by then.
const SAID_AFTER_MS = 1500;
const MB = 1e6;

// The answer of the server, to be compiled while it comes. `tell` is given words.
export async function fetched(url, tell) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  if (!response.body || typeof TransformStream !== "function") return response;
  const began = performance.now();
  // What is packed on its way says no length of what comes out.
  const packed = response.headers.get("content-encoding");
  const whole = packed ? 0 : Number(response.headers.get("content-length") ?? 0);
  let got = 0;
  const counted = new TransformStream({
    transform(part, out) {
      got += part.byteLength;
      if (performance.now() - began > SAID_AFTER_MS) {
        const megabytes = (got / MB).toFixed(1);
        tell(whole ? `${megabytes} of ${(whole / MB).toFixed(1)} MB` : `${megabytes} MB`);
      }
      out.enqueue(part);
    },
  });
  return new Response(response.body.pipeThrough(counted), {
    headers: { "content-type": "application/wasm" },
  });
}
