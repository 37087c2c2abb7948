// Fills the regions of a page with what the server streams, and says so when it hears nothing.
"use strict";

const SILENT_MS = 4000; // the server says something every second
const RETRY_MS = 1000;

const page = document.body;
let source = null;
let heard = -Infinity; // on the clock that goes on while the machine sleeps

function now() {
  return Date.now();
}

function fill(id, html) {
  const region = document.getElementById(id);
  if (region === null) return;
  const focused = region.contains(document.activeElement) ? document.activeElement.id : "";
  region.innerHTML = html;
  if (focused) document.getElementById(focused)?.focus();
}

function judge() {
  // A clock that was set back must not make an old page look new.
  const silent = now() - heard;
  const lost = silent > SILENT_MS || silent < -SILENT_MS;
  page.classList.toggle("is-lost", lost);
  document.getElementById("lost").hidden = !lost;
  document.getElementById("content").inert = lost;
}

function listen() {
  source?.close();
  source = new EventSource(page.dataset.stream);
  source.onmessage = (event) => {
    const regions = JSON.parse(event.data);
    for (const [id, html] of Object.entries(regions)) fill(id, html);
    heard = now();
    page.dispatchEvent(new CustomEvent("filled", { detail: Object.keys(regions) }));
    judge();
  };
  source.addEventListener("signed-off", () => {
    source.close();
    location.assign("/sign-in?next=" + encodeURIComponent(location.pathname + location.search));
  });
  source.onerror = () => {
    // A browser does not try again after an answer that was not a stream.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
  };
}

if (page.dataset.stream) {
  listen();
  setInterval(judge, 500);
  for (const waking of ["visibilitychange", "pageshow", "focus", "online"]) {
    addEventListener(waking, judge, true);
  }
}
