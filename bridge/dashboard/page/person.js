// Says how long a sign-in lasts, and makes it last while somebody works with the page.
"use strict";

const STAY_MS = 30000; // the server is told so often that somebody is there
const left = document.getElementById("left");

if (left !== null) {
  const key = document.querySelector("#person input[name=form_key]").value;
  let end = Date.now() + 1000 * Number(left.dataset.left);
  let told = Date.now();
  let shown = "";

  const show = () => {
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000));
    const minutes = Math.floor(seconds / 60);
    const text =
      minutes > 1
        ? left.dataset.minutes.replace("{minutes}", minutes)
        : left.dataset.seconds.replace("{seconds}", seconds);
    const sentence = left.dataset.sentence.replace("{left}", text);
    document.getElementById("person").classList.toggle("soon", minutes < 1);
    if (sentence !== shown) left.textContent = shown = sentence;
    if (seconds === 0) ask();
    else setTimeout(show, 1000);
  };

  const ask = async () => {
    // Another page of this browser may have made it longer; to load this one anew would make it longer too.
    let seconds = 0;
    try {
      const answer = await fetch("/stay");
      seconds = answer.ok && !answer.redirected ? Number(await answer.text()) : 0;
    } catch {
      seconds = 1; // the dashboard cannot be reached, which the page says by itself
    }
    if (seconds > 0) {
      end = Date.now() + 1000 * seconds;
      setTimeout(show, 1000);
    } else location.reload();
  };

  const stay = async () => {
    if (Date.now() - told < STAY_MS) return;
    told = Date.now();
    try {
      const answer = await fetch("/stay", { method: "POST", body: new URLSearchParams({ form_key: key }) });
      if (answer.ok) end = Date.now() + 1000 * Number(await answer.text());
      else location.reload();
    } catch {
      // The dashboard cannot be reached, which the page says by itself.
    }
  };

  for (const act of ["pointerdown", "keydown"]) addEventListener(act, stay, { passive: true });
  show();
}
