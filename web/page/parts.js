// The program's other parts: functions that no page needs before it is live, and those
// that run in a class alone. Joined to what wasm-bindgen writes, by `cargo xtask web`.
//
// The program calls placeholders in their stead. A part puts its functions into the table
// that all use, and from then on those are called. One that is called before breaks the
// program off: nothing may wait within a call, since a request that is waited for passes
// the service worker by and stops the page.

export class PartMissing extends Error {
  constructor(part) {
    super(`a function of the part “${part}” is called`);
    this.part = part;
  }
}

const joined = {};

// `module` is what the file `bindpose-PART.wasm` compiles to; the program runs.
export function joinPart(part, module) {
  joined[part] ??= new WebAssembly.Instance(module, { ...__wbg_get_imports(), primary: wasm });
}

// By the number of the function's place in the table.
function placeholders(part) {
  return new Proxy({}, {
    get: (_, place) => (...values) => {
      if (!joined[part]) throw new PartMissing(part);
      return wasm["%table"].get(Number(place))(...values);
    },
  });
}
