"use strict";
const token = new URLSearchParams(location.search).get("token") || "";
const byId = (id) => document.getElementById(id);
const say = (id, words) => { const at = byId(id); if (at.textContent !== words) at.textContent = words; };
const make = (name, words, kind) => {
  const at = document.createElement(name);
  if (words !== undefined) at.textContent = words;
  if (kind) at.className = kind;
  return at;
};
const fill = (id, words) => byId(id).replaceChildren(...words.map((one) => make("li", one)));
const seen = new Set();
function board(now) {
  const halted = byId("halted");
  halted.hidden = !now.halted;
  byId("stop").disabled = Boolean(now.halted);
  if (now.halted) {
    say("halted-why", now.halted.reason || "stopped");
    say("halted-what", now.halted.what_to_do || "");
  }
  say("problem", now.problem ? now.problem.message + ". " + now.problem.fix : "");
  say("inflight", now.inflight ? "In flight: " + (now.inflight.label || now.inflight.option || "an action") : "Nothing is in flight.");
  const it = now.board;
  if (!it) return;
  const has = (value) => value !== undefined && value !== null;
  say("place", it.screen + (has(it.floor) ? ", act " + it.act + ", floor " + it.floor : ""));
  say("hp", has(it.hp) ? it.hp + " of " + it.max_hp : "–");
  say("gold", has(it.gold) ? String(it.gold) : "–");
  say("energy", has(it.energy) ? it.energy + ", block " + it.block : "–");
  say("owner", it.owner.owner + ": " + it.owner.reason);
  fill("enemies", it.enemies.map((one) => one.name + ": HP " + one.hp + " of " + one.max_hp + ", block " + one.block + (one.intents.length ? "; " + one.intents.join(", ") : "")));
  fill("hand", it.hand);
  fill("options", it.options);
}
function record(it) {
  if (it.seq && seen.has(it.seq)) return;
  seen.add(it.seq);
  const item = make("li");
  item.dataset.seq = it.seq;
  item.append(make("span", it.seq + " ", "when"), make("strong", it.title), make("span", it.by ? " by " + it.by : " (" + it.kind + ")", "soft"));
  if (it.kind === "action" && it.outcome !== "verified") item.append(make("span", " " + it.outcome, "warn"));
  if (it.wrong.length) item.append(make("p", "Not as predicted: " + it.wrong.join("; "), "warn"));
  if (it.why) item.append(make("p", it.why, "soft"));
  const log = byId("log");
  log.prepend(item);
  while (log.children.length > 300) log.lastElementChild.remove();
  if (it.kind === "handover") byId("handovers").prepend(make("li", it.seq + " " + it.title + (it.why ? ": " + it.why : "")));
  if (it.kind === "action") {
    say("decision", it.title);
    say("decision-by", "by " + it.by + (it.sure ? "; " + it.sure : "") + (it.why ? "; " + it.why : ""));
    fill("candidates", it.candidates);
  }
}
let drawn = "";
function sums(it) {
  for (const key of ["actions", "handovers", "mispredictions", "requests", "input_tokens", "cost_usd"]) say("sum-" + key, String(it[key]));
  const now = it.floors + "-" + it.actions;
  if (now !== drawn) {
    drawn = now;
    byId("chart").src = "/hp.svg?token=" + encodeURIComponent(token) + "&at=" + now;
  }
}
let last = null;
function connect() {
  const stream = new EventSource("/events?token=" + encodeURIComponent(token));
  const on = (name, act) => stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("board", board);
  on("record", record);
  on("sums", sums);
  stream.onopen = () => say("live", "live");
  stream.onerror = () => {
    say("live", "the page's server is away; trying again");
    if (stream.readyState === EventSource.CLOSED) { clearTimeout(last); last = setTimeout(connect, 1000); }
  };
}
byId("stop").addEventListener("click", async () => {
  try {
    const answer = await fetch("/halt", { method: "POST", headers: { "X-Spire-Token": token } });
    say("stop-said", answer.ok ? "HALTED is set." : await answer.text());
  } catch (error) {
    say("stop-said", "The page's server did not answer. Run: spire-mcp halt");
  }
});
connect();
