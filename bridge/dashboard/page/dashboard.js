// Fills the regions of a page with what the server streams, and says so when it hears nothing.
"use strict";

const SILENT_MS = 4000; // the server says something every second
const PATIENCE_MS = 2000; // of a page that was just opened, or is just awake
const NOTICED_MS = 700; // what is over sooner is not worth a word
const SLEPT_MS = 2000; // a page that is awake judges twice a second
const RETRY_MS = 1000;

const page = document.body;
let source = null;
let connected = false;
// On the clock that goes on while the machine sleeps. What a page was loaded with was so then.
let heard = now();
let awake = now();
let judged = now();

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

function past(moment, ms) {
  // A clock that was set back must not make an old page look new.
  return Math.abs(now() - moment) > ms;
}

function judge() {
  if (past(judged, SLEPT_MS)) {
    awake = now();
    connected = false;
  }
  judged = now();
  const silent = past(heard, SILENT_MS);
  const lost = silent && past(awake, PATIENCE_MS);
  page.classList.toggle("is-silent", silent);
  document.getElementById("content").inert = silent;
  document.getElementById("lost").hidden = !lost;
  document.getElementById("connecting").hidden = lost || connected || !past(awake, NOTICED_MS);
}

function listen() {
  source?.close();
  source = new EventSource(page.dataset.stream);
  source.onmessage = (event) => {
    const regions = JSON.parse(event.data);
    for (const [id, html] of Object.entries(regions)) fill(id, html);
    heard = now();
    connected = true;
    page.dispatchEvent(new CustomEvent("filled", { detail: Object.keys(regions) }));
    judge();
  };
  source.addEventListener("signed-off", () => {
    source.close();
    location.assign("/sign-in?next=" + encodeURIComponent(location.pathname + location.search));
  });
  source.onerror = () => {
    // A browser tries again by itself, but for an answer that was no stream: no patience makes that one better.
    if (source.readyState !== EventSource.CLOSED) return;
    heard = awake = -Infinity;
    judge();
    setTimeout(listen, RETRY_MS);
  };
}

// Where the row of pages is wider than a screen.
document.querySelector(".top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });

if (page.dataset.stream) {
  listen();
  setInterval(judge, 500);
  for (const waking of ["visibilitychange", "pageshow", "focus", "online"]) {
    addEventListener(waking, judge, true);
  }
}
