"use strict";
// Sorting, finding, tabs, and the others beside a chosen system. Without it the page is the same tables, one below the other.
(() => {
  const data = JSON.parse(document.getElementById("pairs").textContent);
  const boards = [...document.querySelectorAll(".board")];
  const find = document.getElementById("find");
  const tab = document.getElementById("tab");
  const chosen = document.getElementById("chosen");
  const clear = document.getElementById("clear");
  const invitation = chosen.textContent;
  const WORDS = { "+": "better", "-": "worse", "=": "not told apart" };
  const SIGNS = { "+": "▲ ", "-": "▼ ", "=": "≈ " };
  const TURNED = { "+": "-", "-": "+", "=": "=", ".": "." };
  const rows = boards.map((board) => [...board.querySelectorAll("tbody tr")]);

  const signed = (value, places) => {
    const text = Math.abs(value).toFixed(places);
    return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text;
  };

  // Of one system: the outcome of every other beside it, and the numbers where the page has them.
  function beside(table, place) {
    const { pairs, outcomes, places } = data[table];
    const found = new Map();
    for (const [a, b, outcome, effect, low, high, p] of pairs) {
      if (a !== place && b !== place) continue;
      const turn = b === place ? -1 : 1;
      const range = low === null || high === null ? "unbounded"
        : "[" + (turn > 0 ? [low, high] : [-high, -low]).map((end) => signed(end, places)).join(", ") + "]";
      found.set(a === place ? b : a, [turn > 0 ? outcome : TURNED[outcome], signed(turn * effect, places) + " " + range + ", " + p]);
    }
    const systems = rows[table].length;
    for (let other = 0; outcomes && other < systems; other++) {
      const [low, high] = [Math.min(place, other), Math.max(place, other)];
      const letter = outcomes[low * (2 * systems - low - 1) / 2 + high - low - 1];
      if (other !== place && letter !== ".") found.set(other, [place < other ? letter : TURNED[letter], ""]);
    }
    return found;
  }

  function unpick() {
    for (const one of document.querySelectorAll(".beside")) one.remove();
    for (const row of rows.flat()) row.classList.remove("picked", "better", "worse", "even");
    chosen.textContent = invitation;
    clear.hidden = true;
  }

  function pick(table, place) {
    unpick();
    const row = rows[table][place];
    const name = row.cells[0].textContent;
    const found = beside(table, place);
    const counts = { "+": 0, "-": 0, "=": 0 };
    const head = document.createElement("th");
    boards[table].querySelector("thead th").after(head);
    head.className = "beside";
    head.scope = "col";
    head.textContent = "beside " + name;
    rows[table].forEach((other, index) => {
      const cell = document.createElement("td");
      other.cells[0].after(cell);
      cell.className = "beside";
      if (index === place) { other.classList.add("picked"); cell.textContent = "chosen"; return; }
      if (!found.has(index)) return;
      const [outcome, numbers] = found.get(index);
      counts[outcome] += 1;
      other.classList.add({ "+": "better", "-": "worse", "=": "even" }[outcome]);
      cell.textContent = SIGNS[outcome] + WORDS[outcome] + (numbers ? ": " + numbers : "");
    });
    chosen.textContent = "Beside " + name + ": " + ["+", "=", "-"].map((sign) => counts[sign] + " " + WORDS[sign]).join(", ") + ".";
    clear.hidden = false;
  }

  function show(table) {
    boards.forEach((board, index) => { board.hidden = index !== table; });
    if (tab) tab.value = String(table);
    filter();
  }

  function filter() {
    const text = find.value.trim().toLowerCase();
    for (const row of rows.flat()) row.hidden = !row.cells[0].textContent.toLowerCase().includes(text);
  }

  // The address names a system: whoever has the link sees the same choice.
  function follow() {
    const id = decodeSafely(location.hash.slice(1));
    const row = id && (document.getElementById(location.hash.slice(1)) || document.getElementById(id));
    const table = row ? rows.findIndex((some) => some.includes(row)) : -1;
    if (table < 0) { unpick(); return; }
    show(table);
    pick(table, rows[table].indexOf(row));
  }

  function decodeSafely(text) {
    try { return decodeURIComponent(text); } catch { return text; }
  }

  const value = (cell) => {
    const known = cell.dataset.values;
    return known ? Number(known.split(" ")[0]) : cell.textContent.trim().toLowerCase();
  };

  function sort(table, head) {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sorted = rows[table].map((row) => [value(row.cells[head.cellIndex]), row]);
    sorted.sort(([a], [b]) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1));
    if (down) sorted.reverse();
    boards[table].querySelector("tbody").append(...sorted.map(([, row]) => row));
  }

  boards.forEach((board, table) => {
    [...board.querySelectorAll("thead th")].forEach((head) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", () => sort(table, head));
      head.replaceChildren(button);
    });
    board.addEventListener("click", (event) => {
      const row = event.target.closest("tbody tr");
      if (!row) return;
      event.preventDefault();
      history.pushState(null, "", "#" + row.id);
      follow();
    });
  });
  find.addEventListener("input", filter);
  if (tab) tab.addEventListener("change", () => { unpick(); history.replaceState(null, "", "#"); show(Number(tab.value)); });
  clear.addEventListener("click", () => { history.pushState(null, "", "#"); unpick(); });
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
  document.querySelector(".tools").hidden = false;
  show(0);
  follow();
})();
