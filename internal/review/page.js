"use strict";

// The sheet, byte for byte as the program writes it; a test compares them.
function cell(text) {
  text = text.replace(/\r+\n/g, "\n");
  if (/^[=+\-@\t\r\n']/.test(text)) text = "'" + text;
  return /^[a-zA-Z0-9_\-.\/:#]*$/.test(text) ? text : '"' + text.replaceAll('"', '""') + '"';
}

function csv(columns, rows) {
  return [columns, ...rows].map(row => row.map(cell).join(",") + "\n").join("");
}

// filled puts verdicts, a map from ids to {verdict, note}, into the last three
// cells of the rows. Who judged stands only where something was said.
function filled(rows, verdicts, reviewer) {
  return rows.map(row => {
    const {verdict = "", note = ""} = verdicts.get(row[0]) || {};
    return [...row.slice(0, -3), verdict, verdict || note ? reviewer.trim() : "", note];
  });
}

// saved reads verdicts back from the browser's memory: whatever else stands
// there counts as nothing.
function saved(text) {
  const verdicts = new Map();
  let reviewer = "";
  try {
    const state = JSON.parse(text);
    if (typeof state.reviewer === "string") reviewer = state.reviewer;
    for (const [id, verdict, note] of state.verdicts) {
      if (["", "accept", "reject"].includes(verdict) && typeof note === "string") verdicts.set(id, {verdict, note});
    }
  } catch { /* nothing saved, or not by this page */ }
  return {reviewer, verdicts};
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const key = "benchmill review " + data.digest;
  const marks = {accept: "✓", reject: "✗", "": "·"};
  const at = id => document.getElementById(id);
  let memory = null;
  try { memory = localStorage; } catch { /* switched off */ }
  const {reviewer, verdicts} = saved(memory && memory.getItem(key));
  for (const row of data.rows) {
    const [verdict, , note] = row.slice(-3);
    if (!verdicts.has(row[0]) && (verdict || note)) verdicts.set(row[0], {verdict, note});
  }
  const given = row => verdicts.get(row[0]) || {verdict: "", note: ""};
  let current = 0;
  at("reviewer").value = reviewer;

  // make is the only way anything gets into the page: as text.
  function make(tag, className, text, ...children) {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (text) e.textContent = text;
    e.append(...children);
    return e;
  }

  function tell(text) {
    at("message").textContent = text;
    at("message").hidden = !text;
  }

  function save() {
    try {
      const state = {reviewer: at("reviewer").value, verdicts: [...verdicts].map(([id, v]) => [id, v.verdict, v.note])};
      memory.setItem(key, JSON.stringify(state));
    } catch {
      tell("This browser keeps nothing for this page: download the verdicts before you close it.");
    }
  }

  const shown = i => !at("open").checked || given(data.rows[i]).verdict === "" || i === current;

  // step moves by rows that are shown, and stays where there are none.
  function step(by) {
    for (let i = current + by; i >= 0 && i < data.rows.length; i += by) {
      if (shown(i)) return go(i);
    }
    draw();
  }

  function go(i) {
    current = i;
    draw();
    at("card").scrollTop = 0;
  }

  function judge(verdict) {
    const row = data.rows[current];
    if (!row) return;
    verdicts.set(row[0], {...given(row), verdict});
    save();
    if (verdict) step(1); else draw();
  }

  function value(text) {
    if (!/^https?:\/\/\S+$/.test(text)) return make("b", "", text);
    const a = make("a", "", text);
    a.href = text;
    a.target = "_blank";
    a.rel = "noopener noreferrer";
    return a;
  }

  function card(row) {
    const names = data.columns.slice(1, -3);
    const facts = make("p", "facts"), choices = make("ol", "choices"), texts = [], question = [];
    const cellOf = name => row[data.columns.indexOf(name)];
    const answer = cellOf("correct_answer"), right = cellOf("correct_letter");
    const choicesHold = text => names.some(name => name.startsWith("choice_") && cellOf(name) === text);
    names.forEach((name, i) => {
      const text = row[i + 1];
      const choice = /^choice_(\w)$/.exec(name);
      if (text === "" || name === "correct_answer" && choicesHold(text)) return;
      if (choice) {
        const letter = choice[1].toUpperCase();
        choices.append(make("li", letter === right || text === answer ? "right" : "", "", make("span", "letter", letter), make("div", "text", text)));
      } else if (name === "question") {
        question.push(make("div", "text question", text));
      } else if (text.length <= 120 && !text.includes("\n")) {
        facts.append(make("span", "", name.replaceAll("_", " ") + " ", value(text)));
      } else {
        texts.push(make("h3", "", name.replaceAll("_", " ")), make("div", "text", text));
      }
    });
    const note = make("textarea");
    note.id = "note";
    note.rows = 1;
    note.placeholder = "note";
    note.setAttribute("aria-label", "Note");
    note.value = given(row).note;
    note.addEventListener("input", () => {
      verdicts.set(row[0], {...given(row), note: note.value});
      save();
    });
    const buttons = [["accept", "Accept ", "a"], ["reject", "Reject ", "r"]].map(([verdict, text, k]) => {
      const b = make("button", verdict, text, make("kbd", "", k));
      b.setAttribute("aria-pressed", given(row).verdict === verdict);
      b.addEventListener("click", () => judge(verdict));
      return b;
    });
    if (!choices.children.length) choices.hidden = true;
    return make("article", "", "", make("h2", "", row[0]), facts, ...question, choices, ...texts, make("div", "verdict", "", ...buttons, note));
  }

  function draw() {
    const list = at("list"), group = data.columns.length > 4 ? 1 : -1;
    list.replaceChildren(...data.rows.flatMap((row, i) => {
      if (!shown(i)) return [];
      const {verdict} = given(row);
      const b = make("button", verdict, "", make("span", "mark", marks[verdict]), make("span", "id", row[0]));
      if (group > 0 && row[group].length <= 12) b.append(make("span", "group", row[group]));
      b.setAttribute("aria-current", i === current);
      b.title = row[0];
      b.addEventListener("click", () => go(i));
      return b;
    }));
    const here = list.querySelector("[aria-current=true]");
    if (here) here.scrollIntoView({block: "nearest"});
    const row = data.rows[current];
    at("card").replaceChildren(row ? card(row) : make("p", "empty", "There are no rows."));
    const count = v => data.rows.filter(r => given(r).verdict === v).length;
    const accepted = count("accept"), rejected = count("reject");
    at("progress").max = data.rows.length || 1;
    at("progress").value = accepted + rejected;
    at("counts").textContent = `${accepted + rejected} of ${data.rows.length}: ${accepted} accepted, ${rejected} rejected`;
  }

  function download() {
    if (!at("reviewer").value.trim()) {
      tell("Who judged? Enter your name first.");
      return at("reviewer").focus();
    }
    tell("");
    const text = csv(data.columns, filled(data.rows, verdicts, at("reviewer").value));
    const a = make("a");
    a.href = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
    a.download = "verdicts.csv";
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 60000);
  }

  const keys = {
    a: () => judge("accept"), r: () => judge("reject"), u: () => judge(""),
    j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
    n: () => at("note") && at("note").focus(), d: download, o: () => at("open").click(),
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("textarea, input:not([type=checkbox])");
    if (typing && event.key === "Escape") return event.target.blur();
    if (typing || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  at("reviewer").addEventListener("input", save);
  at("open").addEventListener("change", () => {
    const row = data.rows[current];
    if (at("open").checked && row && given(row).verdict) step(1); else draw();
  });
  at("download").addEventListener("click", download);
  draw();
  if (!memory) save();
}

if (typeof document === "undefined") module.exports = {csv, filled, saved};
else start();
