"use strict";

/** Bytes with a binary prefix, at most one decimal: 1.5 KiB. */
function humanBytes(count) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number(value.toFixed(1))} ${units[unit]}`;
}

function humanDuration(millis) {
  const seconds = Math.round(millis / 1000);
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`);
  return shown.length > 0 ? shown.join(" ") : "0 s";
}

/** One event on one line, cut to a width. */
function format(event, width) {
  const head = `${event.position} ${event.stream}@${event.version} ${event.type} `;
  const line = head + JSON.stringify(event.data);
  return line.length > width ? line.slice(0, width - 1) + "…" : line;
}

module.exports = { format, humanBytes, humanDuration };
