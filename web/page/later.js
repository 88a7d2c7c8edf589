// The second part of the program: functions that no page needs before it is live.
// Joined to what wasm-bindgen writes, by `cargo xtask web`.
//
// The first part calls placeholders in their stead. The second part puts its functions
// into the table that both use; from then on the placeholders call those. One that is
// called before breaks the program off: nothing may wait within a call, since a request
// that is waited for passes the service worker by and stops the page.

export class SecondPartMissing extends Error {}

let secondPart;

// `module` is what the file `bindpose-later.wasm` compiles to; the first part runs.
export function joinSecondPart(module) {
  secondPart ??= new WebAssembly.Instance(module, { ...__wbg_get_imports(), primary: wasm });
}

// By the number of the function's place in the table.
const placeholders = new Proxy({}, {
  get: (_, place) => (...values) => {
    if (!secondPart) throw new SecondPartMissing("a function of the second part is called");
    return wasm["%table"].get(Number(place))(...values);
  },
});
