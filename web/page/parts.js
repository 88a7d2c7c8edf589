// The program's other parts: functions that pages need before they are live which are not
// opened first, those that no page needs before, and those that run in a class alone.
// Joined to what wasm-bindgen writes, by `cargo xtask web`, which writes their names and
// the folders of the pages that are opened first here.
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
const opensFirst = ["OPENED FIRST"];

// Is a page live without the part of the others? By its folder; the cover has none.
export function isOpenedFirst(folder) {
  return opensFirst.includes(folder);
}

// `module` is what the file `bindpose-PART.wasm` compiles to; the program runs.
export function joinPart(part, module) {
  joined[part] ??= new WebAssembly.Instance(module, { ...__wbg_get_imports(), primary: wasm });
}

// By the number of the function's place in the table.
function withPlaceholders(imports) {
  for (const part of ["PARTS"]) {
    imports[part] = new Proxy({}, {
      get: (_, place) => (...values) => {
        if (!joined[part]) throw new PartMissing(part);
        return wasm["%table"].get(Number(place))(...values);
      },
    });
  }
  return imports;
}
