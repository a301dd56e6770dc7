// Keeps the page itself, for when there is no network, and shows notifications. It never keeps anything of a table: that
// comes over a connection that it does not see. The server sets CONTENT: a name that changes with the page.

const SHELL = /^\/(table|words|page\/[\w.-]+)?$/;

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) if (name !== CONTENT) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(forget());
});

addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !SHELL.test(pathname)) return;
  event.respondWith(fresh(event.request));
});

// What the server has now; what it had last where it cannot be reached.
async function fresh(request) {
  const kept = await caches.open(CONTENT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(request, answer.clone());
    return answer;
  } catch (error) {
    const found = await kept.match(request);
    if (found) return found;
    throw error;
  }
}

addEventListener("message", (event) => {
  const { title, text, language, direction } = event.data;
  const shown = { body: text, icon: "/page/icon-192.png", badge: "/page/icon-192.png", tag: title, lang: language, dir: direction, data: event.source.id };
  event.waitUntil(registration.showNotification(title, shown));
});

// To the page that told it, or to one's tables, of which those where it is one's turn come first.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const go = async () => ((await clients.get(event.notification.data)) ?? (await clients.openWindow("/")))?.focus();
  event.waitUntil(go());
});
