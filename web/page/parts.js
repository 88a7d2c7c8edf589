// The program's other parts: functions that pages need before they are live which are not
// opened first, those that no page needs before, and those that run in a class alone.
// Joined to what wasm-bindgen writes, by `cargo xtask web`, which writes their names and
// the folders of the pages that are opened first here.
//
// The program calls placeholders in their stead. A part puts its functions into the table
// that all use, and from then on those are called. A call that comes before its part waits
// for it, as any call of JavaScript does: with the page standing still. No call can be taken
// back, because the program is in the middle of a frame.

// Thrown through the program, which ends by it, where a part cannot be had.
export class PartMissing extends Error {
  constructor(part, cause) {
    super(`the part “${part}” is missing: ${cause?.message ?? "nothing loads it"}`, { cause });
    this.part = part;
  }
}

const joined = {};
const opensFirst = ["OPENED FIRST"];
let loadNow;

// Is a page live without the part of the others? By its folder; the cover has none.
export function isOpenedFirst(folder) {
  return opensFirst.includes(folder);
}

// `load` returns the module of a part that is called before it was joined, or throws.
export function loadMissedPartsBy(load) {
  loadNow = load;
}

// `module` is what the file `bindpose-PART.wasm` compiles to; the program runs.
export function joinPart(part, module) {
  joined[part] ??= new WebAssembly.Instance(module, { ...__wbg_get_imports(), primary: wasm });
}

function joinMissedPart(part) {
  try {
    joinPart(part, loadNow(part));
  } catch (why) {
    throw new PartMissing(part, why);
  }
}

// The one whose functions the parts replace. wasm-split names it as it likes.
function functionTable() {
  return Object.values(wasm).find((one) => one instanceof WebAssembly.Table && one !== wasm.__wbindgen_externrefs);
}

// By the number of the function's place in the table.
function withPlaceholders(imports) {
  for (const part of ["PARTS"]) {
    imports[part] = new Proxy({}, {
      get: (_, place) => (...values) => {
        if (!joined[part]) joinMissedPart(part);
        return functionTable().get(Number(place))(...values);
      },
    });
  }
  return imports;
}
