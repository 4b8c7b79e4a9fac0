#!/usr/bin/env node
"use strict";

const fs = require("node:fs");
const { appendAll, EventStore, encodeSegment, scanSegment, select } = require("../index");
const { format, humanBytes, humanDuration } = require("./format");

/** Parts the arguments into options (--name value) and the rest. */
function parseArguments(list) {
  const options = {};
  const rest = [];
  for (let i = 0; i < list.length; i++) {
    if (list[i].startsWith("--")) {
      options[list[i].slice(2)] = list[++i] ?? "";
    } else {
      rest.push(list[i]);
    }
  }
  return { options, rest };
}

function loadSegment(path) {
  const scan = scanSegment(fs.readFileSync(path));
  if (scan.damage !== null) {
    console.error(`${path}: ${scan.damage} after ${humanBytes(scan.goodBytes)}`);
  }
  let next = 0;
  const store = new EventStore(() => scan.events[next++].time);
  scan.events.forEach((event) => appendAll(store, event.stream, [event]));
  return store;
}

/** Reads lines of JSON, one event each, and writes them as a segment. */
function importLines(source, target) {
  const store = new EventStore(Date.now);
  const lines = fs.readFileSync(source, "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") {
      continue;
    }
    try {
      const { stream, ...event } = JSON.parse(line);
      appendAll(store, stream, [event]);
    } catch (problem) {
      throw new Error(`${source}:${index + 1}: ${problem.message}`);
    }
  }
  fs.writeFileSync(target, encodeSegment(store.log));
  return store.log.length;
}

function showSpan(events) {
  if (events.length === 0) {
    return "no events";
  }
  const times = events.map((event) => event.time);
  return `${events.length} events over ${humanDuration(Math.max(...times) - Math.min(...times))}`;
}

function main(list) {
  const { options, rest } = parseArguments(list);
  const [verb, path, extra] = rest;
  if (verb === "import" && extra !== undefined) {
    console.log(`${importLines(path, extra)} events`);
    return 0;
  }
  if (verb === "show" && path !== undefined) {
    const store = loadSegment(path);
    const chosen = options.where ? select(store, options.where) : store.log;
    chosen.forEach((event) => console.log(format(event, Number(options.width ?? 100))));
    console.log(showSpan(chosen));
    return 0;
  }
  console.error("usage: tidepool import LINES SEGMENT | show SEGMENT [--where QUERY] [--width N]");
  return 64;
}

process.exitCode = main(process.argv.slice(2));
