"use strict";
// A form that answers while it is filled in. Without this script it is sent by its button, and says the same.
(() => {
  const form = document.querySelector("form[data-live]");
  const kind = document.getElementById("kind");
  if (kind) kind.addEventListener("change", () => kind.form.submit());
  if (!form) return;
  const answer = document.getElementById("answer");
  const state = document.getElementById("state");
  const stop = document.getElementById("stop");
  const COARSE = "400";
  let running = null;
  let timer = 0;

  function said() {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) fields.append(name, value);
    return fields;
  }

  async function ask(fields, signal) {
    const sent = new URLSearchParams(fields);
    sent.set("part", "1");
    const reply = await fetch(form.getAttribute("action") + "?" + sent, { signal, headers: { accept: "text/html" } });
    const text = await reply.text();
    if (!(reply.headers.get("content-type") || "").startsWith("text/html")) throw new Error("The server gave no page.");
    if (signal.aborted) return;
    // The page is ours and every name in it is text; the policy of the page runs no script of it.
    answer.innerHTML = text;
    mark();
  }

  function mark() {
    for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    for (const one of form.querySelectorAll(".problem")) one.remove();
    const refusal = answer.querySelector("[data-field]");
    const field = refusal && form.elements.namedItem(refusal.dataset.field);
    if (field && field.setAttribute) field.setAttribute("aria-invalid", "true");
  }

  async function update() {
    if (running) running.abort();
    const mine = (running = new AbortController());
    const fields = said();
    history.replaceState(null, "", form.getAttribute("action") + "?" + fields);
    const found = answer.querySelector(".found");
    const coarse = found && found.dataset.simulated === "yes" && !fields.has("replicates");
    answer.classList.add("busy");
    try {
      if (coarse) {
        const rough = new URLSearchParams(fields);
        rough.set("replicates", COARSE);
        state.textContent = "A first look …";
        stop.hidden = false;
        await ask(rough, mine.signal);
        state.textContent = "A first look; it is being refined …";
      } else {
        state.textContent = "…";
        stop.hidden = false;
      }
      await ask(fields, mine.signal);
      state.textContent = "";
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

  function later() {
    clearTimeout(timer);
    timer = setTimeout(update, 250);
  }

  for (const field of form.querySelectorAll("input[data-least]")) {
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = field.dataset.least;
    slider.max = field.dataset.most;
    slider.step = field.dataset.step;
    slider.setAttribute("aria-label", field.labels[0].textContent + ", slider");
    if (field.value && !isNaN(field.value)) slider.value = field.value;
    slider.addEventListener("input", () => { field.value = slider.value; later(); });
    field.addEventListener("input", () => { if (field.value && !isNaN(field.value)) slider.value = field.value; });
    field.after(slider);
  }
  form.addEventListener("input", later);
  form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); update(); });
  stop.addEventListener("click", () => { if (running) running.abort(); });
})();
