// Rolls the digits of a meter from the amount that was shown to the one that is shown now.
"use strict";

const ROLL_MS = 900;
const shown = new Map(); // the amount that each meter showed, by its name

function roll(odometer) {
  const { meter, amount } = odometer.dataset;
  const before = shown.get(meter);
  shown.set(meter, amount);
  if (before === undefined || before === amount) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const digits = amount.replace(/\D/g, "");
  const old = before.replace(/\D/g, "").padStart(digits.length, "0").slice(-digits.length);
  odometer.querySelectorAll(".reel").forEach((reel, place) => {
    if (old[place] === digits[place]) return;
    reel.animate(
      [{ transform: `translateY(${-old[place]}em)` }, { transform: `translateY(${-digits[place]}em)` }],
      { duration: ROLL_MS, easing: "ease-in-out" },
    );
  });
}

function rollAll() {
  const odometers = [...document.querySelectorAll(".odometer")];
  const there = new Set(odometers.map((odometer) => odometer.dataset.meter));
  // What was not shown in between is not rolled from: nobody saw it last.
  for (const meter of shown.keys()) if (!there.has(meter)) shown.delete(meter);
  odometers.forEach(roll);
}

rollAll();
document.body.addEventListener("filled", rollAll);
