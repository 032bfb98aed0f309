"use strict";
// A form that answers while it is filled in, and takes files that are dropped on it. Without this script it is sent by its button,
// and says the same.
function start() {
  const kind = document.getElementById("kind");
  if (kind) kind.addEventListener("change", () => kind.form.submit());
  const form = document.getElementById("question");
  if (!form) return;
  const live = form.hasAttribute("data-live");
  const answer = document.getElementById("answer");
  const state = document.getElementById("state");
  const stop = document.getElementById("stop");
  const files = document.getElementById("files");
  const FIRST_LOOK = "400";
  const AGAIN = 3;
  const PICKED = { a: "systems", b: "systems", baseline: "systems", measure: "measures", dataset: "datasets", cluster: "clusters" };
  let running = null;
  let timer = 0;
  let found = null;
  let chart = "items";

  function said() {
    const fields = new URLSearchParams();
    const solved = form.elements.namedItem("solve");
    for (const [name, value] of new FormData(form)) 
      if (value && typeof value === "string" && !(solved && name === solved.value)) fields.append(name, value);
    return fields;
  }

  function sent(fields, look) {
    const action = form.getAttribute("action");
    const asked = new URLSearchParams(live ? fields : "");
    asked.set("part", "1");
    if (look) asked.set("look", look);
    return [action + "?" + asked, live ? {} : { method: "POST", body: new FormData(form) }];
  }

  // Whoever finds every process taken comes back when the server says so, a few times.
  async function answered(fields, look, signal) {
    const [address, how] = sent(fields, look);
    for (let left = AGAIN; ; left--) {
      const reply = await fetch(address, { ...how, signal, headers: { accept: "text/html" } });
      if (reply.status !== 503 || !left) return reply;
      const before = state.textContent;
      state.textContent = "The server is busy; it is asked again …";
      await new Promise((go) => setTimeout(go, 1000 * (Number(reply.headers.get("retry-after")) || 1)));
      state.textContent = before;
    }
  }

  async function ask(fields, look, signal) {
    const reply = await answered(fields, look, signal);
    const text = await reply.text();
    if (!(reply.headers.get("content-type") || "").startsWith("text/html")) throw new Error("The server gave no page.");
    return [reply.ok, text];
  }

  // The page is ours and every name in it is text; the policy of the page runs no script of it.
  function show(text) {
    answer.innerHTML = text;
    mark();
    explore();
    copying();
    fixing();
    fold();
  }

  // After an answer the form is one line, and the answer has the screen; a refusal opens it again.
  function fold() {
    const folded = document.getElementById("folded");
    if (!folded) return;
    const section = answer.querySelector(".found[data-asked]");
    folded.open = !section;
    if (!section) return;
    folded.querySelector("summary").firstChild.textContent = section.dataset.asked + " ";
    document.querySelector("h1").scrollIntoView({ block: "start" });
  }

  // Buttons of a refusal belong to the form too, under the names of its fields.
  function fieldOf(name) {
    return form.querySelector(`[name="${CSS.escape(name)}"]`);
  }

  // A refusal that names a fix has a button that does it.
  function fixing() {
    for (const button of answer.querySelectorAll("[data-fix], [data-verb]"))
      button.addEventListener("click", (event) => {
        event.preventDefault();
        if (button.dataset.verb) { enter(button.dataset.verb, files.files); return; }
        const field = fieldOf(button.name);
        if (field.tagName === "SELECT" && ![...field.options].some((one) => one.value === button.value)) field.add(new Option(button.value));
        field.value = button.value;
        update();
      });
  }

  function copying() {
    for (const place of answer.querySelectorAll("[data-copy]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "link";
      button.textContent = "Copy " + place.dataset.copy;
      button.addEventListener("click", async () => {
        const text = place.href && place.dataset.copy === "JSON" ? await (await fetch(place.href)).text() : place.href || place.textContent;
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = "Copied";
        } catch {
          button.textContent = "This browser lets no page copy";
        }
      });
      document.getElementById("copies").append(button);
    }
  }

  // What is solved stands in its field's place; the curves are drawn here, over what is chosen.
  function explore() {
    const headline = document.getElementById("headline");
    const bar = document.getElementById("bar");
    bar.hidden = !headline;
    if (headline) bar.textContent = headline.textContent.trim().split(" (")[0];
    for (const one of form.querySelectorAll(".solved")) one.textContent = "";
    const place = document.getElementById("explorer");
    if (!place) return;
    found = JSON.parse(place.firstElementChild.textContent);
    const output = document.getElementById("solved-" + found.solved);
    if (output) output.textContent = "= " + shown(found.solved, found.point[found.solved]);
    place.hidden = false;
    for (const one of answer.querySelectorAll(".figures")) one.hidden = true;
    const tabs = document.createElement("div");
    tabs.className = "tabs";
    tabs.setAttribute("role", "group");
    tabs.setAttribute("aria-label", "Chart");
    const canvas = document.createElement("div");
    canvas.className = "canvas";
    const choices = Object.entries(CHARTS).filter(([name]) => name === "detectable" || found.lines[name].length > 2);
    for (const [name, words] of choices) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words;
      button.setAttribute("aria-pressed", String(name === chart));
      button.addEventListener("click", () => { chart = name; explore(); });
      tabs.append(button);
    }
    place.replaceChildren(place.firstElementChild, tabs, canvas);
    if (!choices.some(([name]) => name === chart)) chart = "items";
    if (chart === "detectable") detectable(canvas);
    else if (found.lines[chart].length > 1) over(canvas, chart);
  }

  const CHARTS = { items: "Power over items", effect: "Power over the effect", detectable: "Smallest detectable effect" };
  const shown = (name, value) => name === "items" ? value.toLocaleString("en-US") : String(Number(value.toPrecision(3)));

  function over(canvas, name) {
    tellapartChart.draw(canvas, {
      points: found.lines[name], title: CHARTS[name], across: name === "items" ? found.counts : "effect", down: "power",
      point: [found.point[name], found.point.power], target: found.target, band: name === found.solved ? found.band : null,
      moved: (at) => { form.elements.namedItem(name).value = written(name, at); },
      dropped: (at) => { solveFor("power"); form.elements.namedItem(name).value = written(name, at); later(); },
    });
  }

  const written = (name, value) => name === "items" ? String(Math.round(value)) : String(Number(value.toPrecision(3)));

  // The same question for a dozen numbers of items, with the effect solved for.
  async function detectable(canvas) {
    const question = Object.fromEntries(said());
    const { known } = question;
    for (const name of ["solve", "known", "effect"]) delete question[name];
    for (const one of known ? document.getElementById("known").options : []) if (one.value !== known) delete question[one.value];
    const middle = found.point.items;
    question.items = [0.1, 0.2, 0.4, 0.7, 1, 1.5, 2.5, 5, 10].map((times) => Math.max(20, Math.round(middle * times)));
    question.items = [...new Set(question.items)];
    question.power = question.power || String(found.target || 0.8);
    canvas.textContent = "Working it out …";
    const reply = await fetch("/api/v2/plan", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question) });
    const told = await reply.json();
    if (!canvas.isConnected) return;
    if (!reply.ok) { canvas.textContent = told.detail; return; }
    const points = told.rows.map((row) => [row.items, row.effect]);
    tellapartChart.draw(canvas, { points, title: CHARTS.detectable, across: found.counts, down: "effect", point: [middle, tellapartAlong(points, middle)], log: true });
  }

  const tellapartAlong = (points, x) => {
    const near = points.reduce((best, one) => Math.abs(one[0] - x) < Math.abs(best[0] - x) ? one : best);
    return near[1];
  };

  // The number that was solved until now is filled in before another is solved for.
  function solveFor(name) {
    const chosen = form.elements.namedItem("solve");
    if (!chosen) return;
    if (found && found.solved !== name) form.elements.namedItem(found.solved).value = written(found.solved, found.point[found.solved]);
    chosen.value = name;
    settle();
  }

  function settle() {
    for (const one of form.querySelectorAll(".solvable")) {
      const solved = one.querySelector("[name]:not([type=range])").name === form.elements.namedItem("solve").value;
      one.classList.toggle("is-solved", solved);
    }
  }

  // From one look to the next until all is simulated; where more takes too long, what was seen stays.
  async function refine(fields, mine) {
    for (let section; (section = answer.querySelector("[data-look]")); ) {
      const { look, next } = section.dataset;
      state.textContent = "A look at " + look + " simulated evaluations; it is being refined …";
      const [ok, text] = await ask(fields, next, mine.signal);
      if (mine.signal.aborted) return;
      if (!ok) {
        const said = new DOMParser().parseFromString(text, "text/html").querySelector(".refusal");
        state.textContent = "It stays at this look: " + (said ? said.textContent : "the server gave no other.");
        return;
      }
      show(text);
    }
    state.textContent = "";
  }

  function mark() {
    for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    for (const one of form.querySelectorAll(".problem")) one.remove();
    const refusal = answer.querySelector("[data-field]");
    const field = refusal && fieldOf(refusal.dataset.field);
    if (!field || !field.setAttribute) return;
    field.setAttribute("aria-invalid", "true");
    const beside = document.createElement("p");
    beside.className = "problem";
    beside.textContent = refusal.textContent;
    field.closest(".field").append(beside);
  }

  async function work(steps) {
    if (running) running.abort();
    const mine = (running = new AbortController());
    answer.classList.add("busy");
    stop.hidden = false;
    try {
      await steps(mine);
    } catch (error) {
      if (mine.signal.aborted && running === mine) state.textContent = "Stopped.";
      else if (!mine.signal.aborted) state.textContent = "No answer: " + error.message;
    } finally {
      if (running === mine) {
        stop.hidden = true;
        answer.classList.remove("busy");
      }
    }
  }

  function update() {
    const fields = said();
    if (live) history.replaceState(null, "", form.getAttribute("action") + "?" + fields);
    const section = answer.querySelector(".found");
    // What was simulated a moment ago will be again, so the first look comes at once.
    const look = section && section.dataset.simulated === "yes" ? FIRST_LOOK : "";
    work(async (mine) => {
      state.textContent = live ? "…" : "Reading …";
      const [, text] = await ask(fields, look, mine.signal);
      if (mine.signal.aborted) return;
      show(text);
      await refine(fields, mine);
    });
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(update, 250);
  }

  // What is in the files is said beside them, and offered where it can be picked.
  async function detect() {
    const detected = document.getElementById("detected");
    if (!detected || !files.files.length) return;
    const body = new FormData();
    for (const one of files.files) body.append("files", one);
    detected.textContent = "Looking at what it is …";
    try {
      const reply = await fetch("/api/v2/describe", { method: "POST", body });
      const found = await reply.json();
      detected.textContent = reply.ok ? found.sentence : "";
      for (const [field, list] of Object.entries(PICKED)) offer(field, (reply.ok && found[list]) || []);
    } catch {
      detected.textContent = "";
    }
  }

  // What was found can be picked, and nothing else; what stands there already stays, as long as it is there.
  function offer(name, found) {
    const field = form.elements.namedItem(name);
    if (!field || !field.setAttribute || !found.length) return;
    const picked = document.createElement("select");
    for (const attribute of ["id", "name", "aria-describedby"]) if (field.hasAttribute(attribute)) picked.setAttribute(attribute, field.getAttribute(attribute));
    picked.add(new Option("–", ""));
    for (const one of found) picked.add(new Option(typeof one === "string" ? one : one.name || one.key));
    picked.value = [...picked.options].some((one) => one.value === field.value) ? field.value : "";
    field.replaceWith(picked);
  }

  const number = (text) => text.trim().endsWith("%") ? Number(text.trim().slice(0, -1)) / 100 : Number(text);
  for (const field of live ? form.querySelectorAll("input[data-least]") : []) {
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = field.dataset.least;
    slider.max = field.dataset.most;
    slider.step = field.dataset.step;
    slider.setAttribute("aria-label", field.labels[0].textContent + ", slider");
    // Where nothing is said there is nothing to stand at, and no slider.
    const follow = () => {
      const text = [field.value, field.placeholder].find((one) => one && !isNaN(number(one)));
      slider.hidden = text === undefined;
      if (text !== undefined) slider.value = number(text);
    };
    slider.addEventListener("input", () => { field.value = slider.value; later(); });
    field.addEventListener("input", follow);
    field.after(slider);
    follow();
  }
  if (live) form.addEventListener("input", later);
  if (files) {
    dropping(form.querySelector("[data-drop]"), files);
    files.addEventListener("change", () => { detect(); if (files.files.length) update(); });
  }
  form.addEventListener("submit", (event) => {
    if (event.submitter && (event.submitter.name || event.submitter.dataset.verb)) return; // a download is the browser's business
    event.preventDefault();
    clearTimeout(timer);
    update();
  });
  stop.addEventListener("click", () => { if (running) running.abort(); });
  for (const one of form.querySelectorAll("[name=solve]"))
    one.addEventListener("change", () => { solveFor(one.value); later(); });
  settle();
  explore();
  copying();
  fixing();
  if (live && answer.querySelector("[data-look]")) work((mine) => refine(said(), mine));
}

function dropping(place, files) {
  for (const name of ["dragenter", "dragover"])
    document.body.addEventListener(name, (event) => { event.preventDefault(); place.classList.add("over"); });
  document.body.addEventListener("dragleave", (event) => { if (!event.relatedTarget) place.classList.remove("over"); });
  document.body.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    files.files = event.dataTransfer.files;
    files.dispatchEvent(new Event("change"));
  });
}

// The page of a verb takes the place of this one, and has the files already.
async function enter(address, chosen) {
  const reply = await fetch(address, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  history.pushState(null, "", address);
  document.title = page.title;
  document.body = document.adoptNode(page.body);
  start();
  const next = document.getElementById("files");
  next.files = chosen;
  next.dispatchEvent(new Event("change"));
}

// The calculator of the home page: sentences follow their numbers, and files are led to the page that suits them.
function home() {
  const sums = document.getElementById("sums");
  const form = document.getElementById("scores");
  if (!sums) return;
  const files = document.getElementById("files");
  const state = document.getElementById("state");
  let timer = 0;
  let running = null;

  async function workOut() {
    if (running) running.abort();
    const mine = (running = new AbortController());
    const address = "/?" + new URLSearchParams(new FormData(sums));
    sums.classList.add("busy");
    try {
      const reply = await fetch(address, { signal: mine.signal, headers: { accept: "text/html" } });
      const found = new DOMParser().parseFromString(await reply.text(), "text/html");
      for (const old of sums.querySelectorAll(".outcome")) {
        const now = found.getElementById(old.id);
        if (now) old.replaceChildren(...now.childNodes);
      }
      history.replaceState(null, "", address);
    } catch { /* a later number has taken over, or nobody answers */ }
    if (running === mine) sums.classList.remove("busy");
  }

  async function lead() {
    if (!files.files.length) return;
    const body = new FormData();
    for (const one of files.files) body.append("files", one);
    state.textContent = "Looking at what it is …";
    try {
      const reply = await fetch("/api/v2/describe", { method: "POST", body });
      const found = await reply.json();
      if (!reply.ok) { state.textContent = found.detail; return; }
      state.textContent = found.sentence;
      await enter(found.systems.length > 2 ? "/rank" : found.systems.length === 2 ? "/compare" : "/describe", files.files);
    } catch { state.textContent = "The server gave no answer; try again."; }
  }

  sums.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(workOut, 200); });
  sums.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); workOut(); });
  dropping(form.querySelector("[data-drop]"), files);
  files.addEventListener("change", lead);
  document.getElementById("pasted").addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!event.target.value.trim()) return;
      const held = new DataTransfer();
      held.items.add(new File([event.target.value], "pasted.csv"));
      files.files = held.files;
      lead();
    }, 400);
  });
}
addEventListener("popstate", () => location.reload());
start();
home();
