"use strict";
// A form that answers while it is filled in, and takes files that are dropped on it. Without this script it is sent by its button,
// and says the same.
(() => {
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

  function said() {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value && typeof value === "string") fields.append(name, value);
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
  }

  // From one look to the next until all is simulated; where more takes too long, what was seen stays.
  async function refine(fields, mine) {
    for (let found; (found = answer.querySelector("[data-look]")); ) {
      const { look, next } = found.dataset;
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
    const field = refusal && form.elements.namedItem(refusal.dataset.field);
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
    const found = answer.querySelector(".found");
    // What was simulated a moment ago will be again, so the first look comes at once.
    const look = found && found.dataset.simulated === "yes" ? FIRST_LOOK : "";
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

  function offer(name, found) {
    const field = form.elements.namedItem(name);
    if (!field || !field.setAttribute) return;
    const id = "known-" + name;
    const list = document.getElementById(id) || document.createElement("datalist");
    list.id = id;
    list.replaceChildren(...found.map((one) => {
      const option = document.createElement("option");
      option.value = typeof one === "string" ? one : one.name || one.key;
      return option;
    }));
    field.setAttribute("list", id);
    field.after(list);
  }

  function dropping() {
    const place = form.querySelector("[data-drop]");
    for (const name of ["dragenter", "dragover"])
      document.addEventListener(name, (event) => { event.preventDefault(); place.classList.add("over"); });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) place.classList.remove("over"); });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      place.classList.remove("over");
      if (!event.dataTransfer.files.length) return;
      files.files = event.dataTransfer.files;
      files.dispatchEvent(new Event("change"));
    });
    files.addEventListener("change", () => { detect(); if (files.files.length) update(); });
  }

  for (const field of live ? form.querySelectorAll("input[data-least]") : []) {
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = field.dataset.least;
    slider.max = field.dataset.most;
    slider.step = field.dataset.step;
    slider.setAttribute("aria-label", field.labels[0].textContent + ", slider");
    // Where nothing is said the slider stands at what is then taken, or in the middle.
    const known = [field.value, field.placeholder].find((text) => text && !isNaN(text));
    slider.value = known || (Number(slider.min) + Number(slider.max)) / 2;
    slider.addEventListener("input", () => { field.value = slider.value; later(); });
    field.addEventListener("input", () => { if (field.value && !isNaN(field.value)) slider.value = field.value; });
    field.after(slider);
  }
  if (live) form.addEventListener("input", later);
  if (files) dropping();
  form.addEventListener("submit", (event) => {
    if (event.submitter && event.submitter.name) return; // a download is the browser's business
    event.preventDefault();
    clearTimeout(timer);
    update();
  });
  stop.addEventListener("click", () => { if (running) running.abort(); });
  if (live && answer.querySelector("[data-look]")) work((mine) => refine(said(), mine));
})();
