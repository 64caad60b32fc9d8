// Runs the library, compiled to WebAssembly. wasm_exec.js is Go's own; it defines Go.
importScripts("wasm_exec.js");

const go = new Go();
let ready = null;

onmessage = async ({data: {module, id, question, request}}) => {
  if (module) ready = WebAssembly.instantiate(module, go.importObject).then((instance) => { go.run(instance); });
  await ready;
  const post = (line) => postMessage({id, line});
  if (!module) post(fianchettoAsk(question, request, post));
};
