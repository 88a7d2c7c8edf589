// Stands in for the WebGL context of a page: notes what a listing asks of it, so
// that a test can do the same with GL. Answers with handles, which come back in
// later calls.

const calls = [];
const answers = new Set([
  "createTexture", "createBuffer", "getAttribLocation", "getUniformLocation",
]);

const written = (value) => {
  if (ArrayBuffer.isView(value)) {
    return { type: value.constructor.name, numbers: Array.from(value) };
  }
  return value;
};

const gl = new Proxy({}, {
  get(_, name) {
    if (/^[A-Z0-9_]+$/.test(name)) {
      if (!(name in constants)) throw new Error(`WebGL has no ${name}`);
      return constants[name];
    }
    if (name === "getExtension") {
      return (extension) => (extensions.includes(extension) ? {} : null);
    }
    if (name === "getParameter") {
      return (key) => parameters[key];
    }
    return (...given) => {
      calls.push({ name, given: given.map(written) });
      return answers.has(name) ? { handle: calls.length - 1 } : undefined;
    };
  },
});
