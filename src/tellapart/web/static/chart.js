"use strict";
// The curves of a plan, drawn from the numbers that the server sends: power over items or over the effect with its band, the target, and
// a point that can be dragged or moved by arrow keys; and the smallest detectable effect over items, on log axes.
const tellapartChart = (() => {
  const NS = "http://www.w3.org/2000/svg";
  const LEFT = 64, TOP = 14, BOTTOM = 46, RIGHT = 22;

  function element(name, attributes, text) {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const plain = (value) => Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
  const percent = (value) => Math.round(100 * value) + " %";

  function ticksOf(low, high, log) {
    if (log) {
      const found = [];
      for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++)
        for (const digit of [1, 2, 5]) if (digit * 10 ** e >= low * 0.999 && digit * 10 ** e <= high * 1.001) found.push(digit * 10 ** e);
      return found;
    }
    const rough = (high - low) / 5;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((one) => one * unit).find((one) => one >= rough);
    const found = [];
    for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(at);
    return found;
  }

  const scale = (low, high, from, to, log) => {
    const turn = log ? Math.log : (x) => x;
    return (x) => from + (to - from) * (turn(x) - turn(low)) / (turn(high) - turn(low) || 1);
  };

  // A few exact points as a smooth line through all of them that rises and falls only where they do (Fritsch and Carlson 1980).
  function smooth(points) {
    if (points.length < 3) return points;
    const xs = points.map((one) => one[0]);
    const columns = points[0].slice(1).map((_, column) => {
      const ys = points.map((one) => one[column + 1]);
      const slopes = xs.slice(1).map((x, i) => (ys[i + 1] - ys[i]) / (x - xs[i]));
      const bends = xs.map((_x, i) => i === 0 ? slopes[0] : i === xs.length - 1 ? slopes[i - 1]
        : slopes[i - 1] * slopes[i] <= 0 ? 0 : 2 / (1 / slopes[i - 1] + 1 / slopes[i]));
      return (i, t) => {
        const h = xs[i + 1] - xs[i];
        return (1 + 2 * t) * (1 - t) ** 2 * ys[i] + t * (1 - t) ** 2 * h * bends[i] + t * t * (3 - 2 * t) * ys[i + 1] + t * t * (t - 1) * h * bends[i + 1];
      };
    });
    const steps = 12;
    const found = [];
    for (let i = 0; i + 1 < xs.length; i++)
      for (let k = 0; k < steps; k++) found.push([xs[i] + (xs[i + 1] - xs[i]) * k / steps, ...columns.map((one) => one(i, k / steps))]);
    return [...found, points[points.length - 1]];
  }

  // The value of a line between its points.
  function along(points, x, column) {
    const next = points.findIndex((point) => point[0] >= x);
    if (next <= 0) return points[next < 0 ? points.length - 1 : 0][column];
    const [before, after] = [points[next - 1], points[next]];
    return before[column] + (after[column] - before[column]) * (x - before[0]) / (after[0] - before[0]);
  }

  function draw(place, { points, title, across, down, point, target, band, log, moved, dropped }) {
    points = log ? points : smooth([...points].sort((a, b) => a[0] - b[0]));
    const width = Math.max(300, place.clientWidth), height = Math.min(420, Math.max(240, Math.round(width * 0.5)));
    const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": title });
    const xs = points.map((one) => one[0]);
    const [low, high] = [Math.min(...xs), Math.max(...xs)];
    const ys = log ? points.map((one) => one[1]) : [0, 1];
    const x = scale(low, high, LEFT, width - RIGHT, log), y = scale(Math.min(...ys), Math.max(...ys), height - BOTTOM, TOP, log);
    const back = scale(LEFT, width - RIGHT, log ? Math.log(low) : low, log ? Math.log(high) : high);
    const grid = svg.appendChild(element("g", { class: "axis" }));
    let last = -Infinity;
    for (const at of ticksOf(low, high, log)) {
      grid.append(element("line", { x1: x(at), x2: x(at), y1: TOP, y2: height - BOTTOM }));
      if (x(at) - last < 46) continue;
      last = x(at);
      grid.append(element("text", { x: x(at), y: height - BOTTOM + 17, "text-anchor": "middle" }, plain(at)));
    }
    for (const at of log ? ticksOf(Math.min(...ys), Math.max(...ys), true) : [0, 0.2, 0.4, 0.6, 0.8, 1]) {
      grid.append(element("line", { x1: LEFT, x2: width - RIGHT, y1: y(at), y2: y(at) }));
      grid.append(element("text", { x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, log ? plain(at) : percent(at)));
    }
    grid.append(element("text", { x: (LEFT + width - RIGHT) / 2, y: height - 8, "text-anchor": "middle" }, across));
    grid.append(element("text", { x: 14, y: (TOP + height - BOTTOM) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(TOP + height - BOTTOM) / 2})` }, down));
    const path = (some) => some.map(([px, py], i) => (i ? "L" : "M") + x(px).toFixed(1) + " " + y(py).toFixed(1)).join("");
    if (points[0].length > 2) {
      const edge = [...points.map((one) => [one[0], one[3]]), ...points.map((one) => [one[0], one[2]]).reverse()];
      svg.append(element("path", { d: path(edge) + "Z", class: "band" }));
    }
    if (band) {
      const [from, to] = band.map((end) => x(Math.min(high, Math.max(low, end))));
      svg.append(element("rect", { x: from, y: height - BOTTOM - 6, width: Math.max(2, to - from), height: 6, class: "evidence" }));
    }
    if (target) svg.append(element("line", { x1: LEFT, x2: width - RIGHT, y1: y(target), y2: y(target), class: "target" }));
    svg.append(element("path", { d: path(points), class: "line" }));
    if (point) handle(svg, { points, point, x, y, back, low, high, log, across, down, moved, dropped, width });
    place.replaceChildren(svg);
  }

  function handle(svg, { points, point, x, y, back, low, high, log, across, down, moved, dropped, width }) {
    const step = across === "effect" ? (high - low) / 100 : Math.max(1, Math.round((high - low) / 200));
    const dot = element("circle", { r: 8, class: "point", tabindex: 0, role: "slider", "aria-label": across,
      "aria-valuemin": low, "aria-valuemax": high });
    const words = element("text", { class: "reading" });
    let at = Math.min(high, Math.max(low, point[0]));

    function put(value, exact) {
      at = Math.min(high, Math.max(low, value));
      const height = exact === undefined ? along(points, at, 1) : exact;
      dot.setAttribute("cx", x(at));
      dot.setAttribute("cy", y(height));
      const said = `${plain(at)} ${across}: ${log ? plain(height) : percent(height)} ${down}`;
      dot.setAttribute("aria-valuenow", at);
      dot.setAttribute("aria-valuetext", said);
      words.textContent = said;
      const right = x(at) > width / 2;
      words.setAttribute("x", x(at) + (right ? -14 : 14));
      words.setAttribute("y", y(height) + (right ? -8 : 20));
      words.setAttribute("text-anchor", right ? "end" : "start");
    }
    const value = (event) => {
      const box = svg.getBoundingClientRect();
      const found = back((event.clientX - box.left) * width / box.width);
      return log ? Math.exp(found) : found;
    };
    put(point[0], point[1]);
    svg.append(dot, words);
    if (!dropped) return;
    dot.addEventListener("pointerdown", (event) => { dot.setPointerCapture(event.pointerId); event.preventDefault(); dot.focus(); });
    dot.addEventListener("pointermove", (event) => { if (dot.hasPointerCapture(event.pointerId)) { put(value(event)); moved(at); } });
    dot.addEventListener("pointerup", () => dropped(at));
    dot.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      put(at + way * step);
      dropped(at);
    });
  }

  return { draw };
})();
