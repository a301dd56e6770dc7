// Keeps the page itself, for when there is no network, and shows notifications. It never keeps anything of a table:
// that comes over a connection that it does not see. The server sets CONTENT: a name that changes with the page.

const SHELL = /^\/(table|words|games\/.+|page\/[\w.-]+)?$/;
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("activate", (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) if (name !== CONTENT) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(forget());
});

worker.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !SHELL.test(pathname)) return;
  event.respondWith(fetched(event.request));
});

// What the server has now; what it had last where it cannot be reached.
/** @param {Request} request */
async function fetched(request) {
  const cache = await caches.open(CONTENT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const known = await cache.match(request);
    if (known) return known;
    throw error;
  }
}

worker.addEventListener("message", (event) => {
  const { title, text, language, direction } = event.data;
  const icon = "/page/icon-192.png";
  const page = event.source instanceof Client ? event.source.id : "";
  const shown = { body: text, icon, badge: icon, tag: title, lang: language, dir: direction, data: page };
  event.waitUntil(worker.registration.showNotification(title, shown));
});

// To the page that told it, or to one's tables, of which those where it is one's turn come first.
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const go = async () => {
    const page = await worker.clients.get(event.notification.data);
    await (page instanceof WindowClient ? page : await worker.clients.openWindow("/"))?.focus();
  };
  event.waitUntil(go());
});
