// Folds the search on a phone, before it is seen; where there is room, or no script, it stays open.
"use strict";

const fold = document.querySelector(".fold");
const phone = matchMedia("(max-width: 45rem)");

function arrangeFold() {
  fold.open = !(phone.matches && "foldable" in fold.dataset);
}

arrangeFold();
phone.addEventListener("change", arrangeFold);
