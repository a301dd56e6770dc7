// Words of the page that its first view does without.

import { add, language } from "./words.js";

// Without a connection they are missed until the page is loaded again, and everything else works.
export async function laterWords() {
  const asked = new URLSearchParams({ language: language(), later: "" });
  const answer = await fetch(`/words?${asked}`).catch(() => null);
  if (answer?.ok) add((await answer.json()).words);
}
