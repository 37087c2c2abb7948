// Filters and sorts the tables of the floor, anew with whatever is streamed.
"use strict";

const cells = [...document.querySelectorAll(".floor-cell")];
const grid = document.getElementById("tables");
const filter = document.getElementById("floor-filter");
const show = document.getElementById("floor-show");
const sort = document.getElementById("floor-sort");
const count = document.getElementById("floor-count");

const said = (cell) => cell.querySelector(".card").dataset;
const byName = (one, other) => said(one).name.localeCompare(said(other).name, undefined, { numeric: true });
const orders = {
  name: () => 0,
  alarms: (one, other) =>
    said(one).severity - said(other).severity || said(one).since - said(other).since,
  awards: (one, other) =>
    Math.sign(said(other).awards) - Math.sign(said(one).awards) || said(one).hit - said(other).hit,
  meter: (one, other) => said(other).meter - said(one).meter,
};
const kinds = {
  all: () => true,
  alarms: (cell) => cell.querySelector(".alarms") !== null,
  awards: (cell) => said(cell).awards > 0,
  open: (cell) => said(cell).open === "1",
};

function arrange() {
  const wanted = filter.value.trim().toLowerCase();
  for (const cell of cells) {
    cell.hidden = !(kinds[show.value](cell) && said(cell).text.toLowerCase().includes(wanted));
  }
  const sorted = [...cells].sort((one, other) => orders[sort.value](one, other) || byName(one, other));
  if (sorted.some((cell, place) => grid.children[place] !== cell)) {
    const focused = document.activeElement;
    grid.append(...sorted);
    if (grid.contains(focused)) focused.focus({ preventScroll: true });
  }
  count.value = count.dataset.form
    .replace("{shown}", cells.filter((cell) => !cell.hidden).length)
    .replace("{all}", cells.length);
}

for (const control of [filter, show, sort]) control.addEventListener("input", arrange);
document.getElementById("floor-tools").addEventListener("submit", (event) => event.preventDefault());
document.body.addEventListener("filled", arrange);
addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    filter.focus();
  } else if (event.key === "Escape" && event.target === filter) {
    filter.value = "";
    arrange();
  }
});
arrange();
