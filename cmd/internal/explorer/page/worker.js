// Runs the library, compiled to WebAssembly. wasm_exec.js is Go's own; it defines Go.
importScripts("wasm_exec.js");

let ready = null;

async function start(module) {
  const go = new Go();
  go.run(await WebAssembly.instantiate(module, go.importObject));
}

onmessage = async ({data}) => {
  if (data.module) {
    ready = start(data.module);
    return;
  }
  await ready;
  const reply = fianchettoAsk(data.question, data.request, (line) => postMessage({id: data.id, line}));
  postMessage({id: data.id, line: reply});
};
