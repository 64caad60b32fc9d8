// Keeps the files of the page for use without the network. Their version is in the line above.

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== version) await caches.delete(name);
  await clients.claim();
  const page = await (await fetch("./")).text();
  const files = page.match(/(preload|prefetch)" href="([^"]+)"/g).map((link) => link.split('"')[2]);
  await (await caches.open(version)).addAll(["./", "app.js", "failed.js", "worker.js", "wasm_exec.js",
    "explorer.wasm.gz", "icon.svg", "manifest.json", ...files].filter((file, i, all) => all.indexOf(file) === i));
})()));

// The network first, so that a new version shows at once.
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) {
    event.respondWith(fetch(event.request).catch(async (error) => {
      const kept = await (await caches.open(version)).match(event.request, {ignoreSearch: true});
      if (!kept) throw error;
      return kept;
    }));
  }
});
