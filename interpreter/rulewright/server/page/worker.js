// The worker of an installed page, and of whoever wants notifications. There is none on a plain network: browsers allow
// it only over TLS, or on this computer.

export const workable = () => window.isSecureContext && "serviceWorker" in navigator;

export async function serve() {
  if (!workable()) return;
  try {
    await navigator.serviceWorker.register("/worker.js");
  } catch {
    // a private window may have none: the page does without
  }
}

/** @param {string} title @param {string} text */
export async function notify(title, text) {
  const { active } = (await navigator.serviceWorker.getRegistration()) ?? {};
  active?.postMessage({
    title,
    text,
    language: document.documentElement.lang,
    direction: document.documentElement.dir,
  });
}
