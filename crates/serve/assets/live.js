// Replaces the live parts of the page when the campaign has gone on. Without it the page works and stands still.
"use strict";
(() => {
  const sign = document.querySelector(".live");
  let running = false;
  let wanted = false;

  const say = (text) => { if (sign) sign.textContent = text; };

  async function refresh() {
    if (running || document.hidden) { wanted = true; return; }
    running = true;
    wanted = false;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.title = fresh.title;
      for (const old of document.querySelectorAll("[data-live]")) {
        const part = fresh.getElementById(old.id);
        // What a reader is busy with stays as it is until the next time.
        const selection = document.getSelection();
        const busy = old.contains(document.activeElement)
          || (selection && !selection.isCollapsed && old.contains(selection.anchorNode));
        if (!part || busy || part.isEqualNode(old)) continue;
        for (const box of old.querySelectorAll("details[open][id]")) {
          const same = part.querySelector("#" + CSS.escape(box.id));
          if (same) same.open = true;
        }
        old.replaceWith(document.adoptNode(part));
      }
      say("live");
    } catch {
      say("not live: plumb serve does not answer");
    }
    running = false;
    if (wanted && !document.hidden) refresh();
  }

  say("waiting for plumb serve");
  const events = new EventSource("/events");
  events.addEventListener("open", () => say("live"));
  events.addEventListener("changed", refresh);
  events.addEventListener("error", () => say("not live: plumb serve does not answer"));
  document.addEventListener("visibilitychange", () => { if (wanted && !document.hidden) refresh(); });
})();
