// Answers come from the command that serves this page, as JSON over HTTP, or from the library in a worker, compiled to
// WebAssembly.

export class Failure extends Error {
  constructor({field, text}) {
    super(text.replace(/^fianchetto: /, ""));
    this.field = field;
  }
}

const kind = document.querySelector('meta[name="backend"]').content;

/** Whether the page is served as static files, which the browser can keep. */
export const isStatic = kind === "wasm";

/** The name of the engine that the server can ask, or "". */
export const engine = document.querySelector('meta[name="engine"]').content;

const known = document.getElementById("known"); // the reply about the start position

/** The address of this state for other people: on the public site, unless another site has the page. */
export const link = (hash = location.hash) => (kind === "http"
  ? document.querySelector("link[rel=canonical]").href : location.href.split("#")[0]) + hash;

/** Asks a question. Throws a Failure if there is no answer. Calls partial with answers so far; signal aborts. */
export async function ask(question, request, {signal, partial} = {}) {
  if (JSON.stringify(request) === known.dataset.request) {
    if (kind !== "http") workerFor("short").catch(() => {}); // other questions will follow
    return JSON.parse(known.textContent).answer;
  }
  const reply = await (kind === "http" ? overHTTP : inWorker)(question, request, signal, partial);
  if (reply.failure) throw new Failure(reply.failure);
  return reply.answer;
}

/** Waits until the program is loaded, so that a count can be timed without the download. */
export const loaded = () => (kind === "http" ? null : workerFor("long"));

export const isAbort = (error) => error.name === "AbortError";

async function overHTTP(question, request, signal, partial) {
  const response = await fetch(`api/${question}`, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(request), signal,
  }).catch((error) => { throw isAbort(error) ? error : new Failure(
    {text: "The explorer's server does not answer. Is fianchetto explore still running?"}); });
  if (!response.ok) throw new Failure({text: (await response.text()).trim() || response.statusText});
  let text = "", reply = null;
  const take = (line) => {
    const message = JSON.parse(line);
    if (message.partial) partial?.(message.partial);
    else reply = message;
  };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (text + chunk.value).split("\n");
    text = lines.pop();
    lines.forEach(take);
  }
  if (!reply) throw new Failure({text: "the connection ended before the answer"});
  return reply;
}

// Long questions run in a worker of their own. Aborting one ends the worker.
const longQuestions = new Set(["divide", "compare", "paste"]);
const workers = {};
let compiled = null;

function compile() {
  compiled ||= program().then((packed) => {
    const unpacked = packed.pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compileStreaming(new Response(unpacked, {headers: {"Content-Type": "application/wasm"}}));
  }).catch((error) => {
    compiled = null; // the next question tries again
    document.getElementById("loading").hidden = true;
    throw new Failure({text: `The move generator cannot be loaded: ${error.message}`});
  });
  return compiled;
}

/** Returns the packed program, with a loading bar. */
async function program() {
  const loading = document.getElementById("loading"), bar = loading.querySelector("progress");
  loading.hidden = false; // the style shows it after a moment
  const response = await fetch("explorer.wasm.gz");
  if (!response.ok) throw new Error(response.statusText);
  const total = Number(response.headers.get("Content-Length"));
  let loaded = 0;
  return response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.length;
      if (total) bar.value = loaded / total;
      controller.enqueue(chunk);
    },
    flush() {
      loading.hidden = true;
    },
  }));
}

async function workerFor(name) {
  if (!workers[name]) {
    const worker = new Worker("worker.js");
    workers[name] = {worker, waiting: new Map(), next: 1};
    worker.onmessage = ({data}) => {
      const {resolve, partial} = workers[name]?.waiting.get(data.id) ?? {};
      const message = JSON.parse(data.line);
      if (message.partial) return partial?.(message.partial);
      workers[name]?.waiting.delete(data.id);
      resolve?.(message);
    };
    workers[name].ready = compile().then((module) => worker.postMessage({module}));
    workers[name].ready.catch(() => { delete workers[name]; });
  }
  const channel = workers[name];
  await channel.ready;
  return channel;
}

function endWorker(name) {
  const {worker, waiting} = workers[name];
  delete workers[name];
  worker.terminate();
  for (const {reject} of waiting.values()) reject(new DOMException("aborted", "AbortError"));
}

async function inWorker(question, request, signal, partial) {
  const name = longQuestions.has(question) ? "long" : "short";
  const channel = await workerFor(name);
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const id = channel.next++;
    channel.waiting.set(id, {resolve, reject, partial});
    channel.worker.postMessage({id, question, request: JSON.stringify(request)});
    signal?.addEventListener("abort", () => {
      if (name === "long" && channel.waiting.has(id) && workers[name] === channel) endWorker(name);
      else reject(new DOMException("aborted", "AbortError"));
    });
  });
}
