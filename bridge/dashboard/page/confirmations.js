// Keeps the panel of confirmations as the table asks, sends its forms without leaving the page, and never takes a
// form away from somebody who writes in it.
"use strict";

const panel = document.getElementById("confirmations");
let asking = false;
let askAgain = false;
let shown = ""; // what the server said last, without what differs in each showing

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template;
}

function edited(form) {
  return [...form.elements].some((field) => {
    if (field.tagName === "SELECT") {
      const first = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(first, 0);
    }
    return field.type !== "hidden" && "defaultValue" in field && field.value !== field.defaultValue;
  });
}

function busy(form) {
  return form.dataset.sending === "true" || edited(form) || form.contains(document.activeElement);
}

function withdraw(form) {
  // It stays as long as somebody reads what he wrote.
  form.classList.add("withdrawn");
  form.querySelector("button").disabled = true;
  if (form.querySelector(".stale") !== null) return;
  const note = document.createElement("p");
  note.className = "fault stale";
  note.setAttribute("role", "status");
  note.textContent = panel.dataset.stale;
  form.append(note);
}

function fill(fresh, sent = null) {
  const focused = panel.contains(document.activeElement) ? document.activeElement : null;
  const answer = panel.querySelector("#answer");
  if (answer !== null && fresh.getElementById("answer") === null) {
    fresh.getElementById("confirmations-title").after(answer);
  }
  for (const details of panel.querySelectorAll("details[open]")) {
    const again = fresh.getElementById(details.querySelector("form").id)?.closest("details");
    if (again) again.open = true;
  }
  for (const form of panel.querySelectorAll("form")) {
    if (form === sent || !busy(form)) continue;
    const again = fresh.getElementById(form.id);
    if (again !== null && again.dataset.round === form.dataset.round) again.replaceWith(form);
    else if (edited(form)) {
      withdraw(form);
      fresh.append(form);
    }
  }
  panel.replaceChildren(fresh);
  if (focused?.isConnected) focused.focus({ preventScroll: true });
}

function told(element) {
  return element.innerHTML.replaceAll(/name="token" value="[^"]*"| open=""/g, "").trim();
}

async function look() {
  if (asking) {
    askAgain = true;
    return;
  }
  asking = true;
  try {
    const answer = await fetch(panel.dataset.address);
    if (answer.ok) {
      const template = parsed(await answer.text());
      const news = told(template);
      if (news !== shown) fill(template.content);
      shown = news;
    }
  } catch {
    // The dashboard cannot be reached, which the page says by itself.
  }
  asking = false;
  if (askAgain) {
    askAgain = false;
    look();
  }
}

async function send(event) {
  const form = event.target;
  event.preventDefault();
  if (form.dataset.sending === "true") return;
  const button = form.querySelector("button");
  const label = button.textContent;
  form.dataset.sending = "true";
  button.setAttribute("aria-disabled", "true");
  button.textContent = panel.dataset.sending;
  let html = null;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { "X-Part": "confirmations" },
      body: new URLSearchParams(new FormData(form)),
    });
    // Something else than a panel says that nobody is signed in here any more.
    if (answer.headers.get("X-Part") === null) {
      location.reload();
      return;
    }
    html = await answer.text();
  } catch {
    html = null;
  }
  if (html === null) {
    say(panel.dataset.network);
  } else {
    fill(parsed(html).content, form);
  }
  delete form.dataset.sending;
  button.removeAttribute("aria-disabled");
  button.textContent = label;
  land();
}

function land() {
  // Where whoever sent something goes on: at what is wrong with it, or at what became of it.
  (panel.querySelector("[aria-invalid]") ?? panel.querySelector("#answer"))?.focus();
}

function say(words) {
  const answer = panel.querySelector("#answer") ?? document.createElement("p");
  answer.id = "answer";
  answer.className = "answer unknown";
  answer.setAttribute("role", "status");
  answer.tabIndex = -1;
  answer.textContent = words;
  panel.querySelector("#confirmations-title").after(answer);
}

if (panel !== null) {
  shown = told(panel);
  if (document.activeElement === document.body) land(); // sent before this script was there
  panel.addEventListener("submit", send);
  document.body.addEventListener("filled", (event) => {
    if (event.detail.includes("confirmable")) look();
  });
}
