import { resultOf } from "./answer";
import { Compare } from "./compare";
import { AFTER, hypergraphDifferences, Pairs } from "./compare/differences";
import { button, el, setAttribute, setText } from "./dom";
import { Editor } from "./edit";
import { changesBetween, hasAnswer, sameThing } from "./edit/changed";
import { FileDrop } from "./edit/drop";
import { NO_RENAMES, type Renames, type RunBody } from "./edit/model";
import { packedRun, unpackedRun } from "./edit/share";
import { few } from "./few";
import { isolated } from "./isolate";
import { listenToKeys, releaseLists } from "./keys";
import { Address, frameOfPlace, type Place, type Tab } from "./link";
import { Explainer } from "./machine/explain";
import type { Model } from "./machine/model";
import type { Runs } from "./machine/page";
import { AttentionPanel } from "./panels/attention";
import { Chosen } from "./panels/chosen";
import { Dividers } from "./panels/dividers";
import { Header } from "./panels/header";
import { Help } from "./panels/help";
import { History } from "./panels/history";
import { MachinePanel } from "./panels/machine";
import type { CellPlace } from "./panels/machine_cell";
import { SearchBox } from "./panels/searchbox";
import { Source } from "./panels/source";
import { State } from "./panels/state";
import { StoryPanel } from "./panels/story";
import { StoryBar } from "./panels/story_bar";
import { type Mode, modeOf, shownTab, Tabs, tabsOf } from "./panels/tabs";
import { hasKeys, Timeline } from "./panels/timeline";
import { Variables } from "./panels/variables";
import { type Link, Picture } from "./picture";
import { Player } from "./player";
import { Recording, type Thing } from "./recording";
import { SaveDialog } from "./save";
import type { Panel, Stage } from "./stage";
import { Theme } from "./theme";
import type { Trace } from "./trace";

/** The panels that say which arrows the picture has. */
const POINTING: ReadonlySet<Tab> = new Set(["attention", "machine"]);

/** The viewer: holds the state of the page, and draws it at most once per animation frame. */
export class App implements Stage {
  recording: Recording;
  selected: Thing | null = null;
  explainer: Explainer | null = null;
  edits: readonly string[] = [];

  readonly #host: HTMLElement;
  readonly #live: Runs | null;
  readonly #opened: { readonly trace: Trace; readonly model: Model } | null;
  readonly #address = new Address();
  readonly #theme: Theme;
  readonly #player: Player;
  readonly #header: Header;
  readonly #timeline: Timeline;
  readonly #attention: AttentionPanel;
  readonly #machine: MachinePanel;
  readonly #story: StoryBar;
  readonly #search: SearchBox;
  readonly #chosen = new Chosen(this);
  readonly #tabs = new Tabs((tab) => this.show(tab));
  readonly #help = new Help();
  readonly #save: SaveDialog;
  readonly #compare: Compare | null;
  readonly #panels: Map<Tab, Panel>;
  readonly #picture: Picture;
  readonly #pictureBox: HTMLElement;
  readonly #panelBox = el("div", { class: "panels" });
  readonly #editor: Editor | null;
  readonly #message = el("div", {
    ...{ class: "message", role: "status", "aria-live": "polite", "data-testid": "message" },
    title: "Click to close (Esc)",
  });
  #unrun: string | null = null; // why what is in Edit has not run
  readonly #notRun = el("p", { class: "not-run", role: "status", "data-testid": "not-run", hidden: true });
  /** Instead of all else, until the run of a link is there: the page's own is not what was asked for. */
  readonly #opening = el(
    "p",
    { class: "opening-run", role: "status", "data-testid": "opening", hidden: true },
    "Opening the linked run …",
  );
  readonly #picking = el("p", { class: "pick-banner", role: "status", "data-testid": "picking", hidden: true });
  #messageTimer: ReturnType<typeof setTimeout> | undefined;
  #mode: Mode = "wide";
  #tab: Tab = "variables";
  #lastTab: Tab = "variables";
  #pointing: Tab | null = null; // the panel whose arrows the picture has
  readonly #origins = new Map<string, Trace>(); // by name of the hypergraph: the first run, before any edit
  #waiting = 0;
  #run: string | null = null; // the run that is shown, as a link has it; null: the one that the page was made with
  #unlinked = false; // it is too large for a link
  #runs = 0;
  #pending: Place | null = null; // where to go in the run that a link asked for

  /** `opened`: the model of this trace, where the page does not run it, but can open it. */
  constructor(host: HTMLElement, trace: Trace, live: Runs | null, opened: Model | null = null) {
    this.#host = host;
    this.#live = live;
    this.#opened = opened && { trace, model: opened };
    this.recording = new Recording(trace);
    this.#theme = new Theme(() => this.#themed());
    this.#player = new Player({
      frame: () => this.recording.frame,
      last: () => this.recording.length - 1,
      seek: (frame) => this.seek(frame),
      changed: (playing) => this.#timeline.playing(playing),
    });
    this.#header = new Header(this, {
      theme: () => this.#theme.toggle(),
      copy: () => this.#copy(),
      help: () => this.#explain(),
      save: () => this.#save.open(),
      compare: live ? () => this.#comparing() : null,
      algorithms: () => live?.algorithms ?? [],
      choose: (name) => this.#editor?.choose(name),
    });
    this.#timeline = new Timeline(this, this.#player);
    this.#attention = new AttentionPanel(this);
    this.#machine = new MachinePanel(this);
    const told = new StoryPanel(this, {
      guide: () => this.#story.guide(),
      narrate: () => this.#story.narrate(),
      why: () => this.#story.why(),
    });
    this.#story = new StoryBar(this, {
      pause: () => this.#player.pause(),
      why: () => this.#machine.why(),
      open: (which) => (which === "answer" ? told.leadToAnswer() : this.#machine.open(which)),
    });
    this.#search = new SearchBox(this);
    this.#panels = new Map<Tab, Panel>([
      ["source", new Source(this)],
      ["history", new History(this)],
      ["variables", new Variables(this)],
      ["attention", this.#attention],
      ["state", new State(this)],
      ["machine", this.#machine],
      ["story", told],
    ]);
    this.#panels.get("variables")?.root.addEventListener("click", (event) => this.#story.offer(event));
    this.#pictureBox = el("div", { class: "picture-box" });
    const editBox = el("section", { class: "panel edit scroll", "data-panel": "edit", "aria-label": "Edit" });
    this.#layOut(editBox);
    this.#picture = new Picture(this.#pictureBox, { select: (thing) => this.#picked(thing) });
    this.#editor = live
      ? new Editor(editBox, live, {
          trace: (next, body, renames) => this.#rerun(next, body, renames),
          message: (text, bad) => this.say(text, bad),
          unsay: (text) => this.#unsay(text),
          picking: (hyperedge) => this.#pickingFor(hyperedge),
          compare: () => this.#comparing(),
          opened: (name) => this.#origins.delete(name),
          stale: (sentence) => this.#stale(sentence),
        })
      : null;
    this.#save = this.#saving();
    this.#compare = live && new Compare(live, { changed: () => this.redraw(), copy: () => this.#copy() });
    this.#host.append(this.#save.root, ...(this.#compare ? [this.#compare.root] : []));
    this.#measure();
    this.#obey(this.#address.read(), true);
    this.load(trace);
    this.#openPart(this.#address.read());
    this.#timeline.welcome(!this.#address.given);
    this.#listen();
    this.#open(this.#address.read());
  }

  get dark(): boolean {
    return this.#theme.dark;
  }

  get tab(): Tab {
    return shownTab(this.#tab, this.#mode, this.#live !== null);
  }

  /** Show another trace; selection and tab, and of the same algorithm the frame, are kept if they exist there. */
  load(trace: Trace, renames: Renames = NO_RENAMES): void {
    this.#player.pause();
    if (trace !== this.recording.trace) {
      const { iteration, layer, frame, length, trace: before } = this.recording;
      this.recording = new Recording(trace);
      // Iterations of another algorithm have nothing to do with those of this one.
      const same = before.algorithm.name === trace.algorithm.name;
      // Who stood at the end sees the answer, also where the run is longer now.
      const ended = frame > 0 && frame === length - 1;
      const kept = ended ? this.recording.length : this.recording.frameOf(iteration, layer);
      this.recording.seek(same ? kept : 0);
      this.selected = sameThing(this.selected, before, trace, renames);
      this.#noteSelected();
    }
    document.title = `${trace.algorithm.name} – hyloop`;
    this.edits = this.#editsOf(trace);
    const model = this.#opened?.trace === trace ? this.#opened.model : (this.#live?.modelOf?.(trace) ?? null);
    this.explainer = model && new Explainer(model, this.recording);
    for (const panel of [this.#header, this.#timeline, this.#story, ...this.#panels.values()]) panel.load();
    // After the others, which take their room.
    this.#picture.theme(this.dark);
    this.#picture.load(this.recording, model ? resultOf(model, this.recording) : []);
    this.#picture.select(this.selected);
    this.#search.load();
    this.#compare?.keep(trace);
    this.#editor?.load(trace);
    this.#editor?.select(this.selected);
    this.#themed();
  }

  /** What is other in the hypergraph than in the file or page that it came from, in words. */
  #editsOf(trace: Trace): string[] {
    const { name } = trace.hypergraph;
    const origin = this.#origins.get(name) ?? trace;
    this.#origins.set(name, origin);
    if (origin === trace) return [];
    return hypergraphDifferences(new Pairs(new Recording(origin), this.recording), AFTER, false);
  }

  /** Show a run that was asked for in the page, and say what is other than before. */
  #rerun(trace: Trace, body: RunBody, renames: Renames): void {
    // Whatever was said of the run before, or refused, is done with.
    this.#hush();
    const before = this.recording;
    this.load(trace, renames);
    if (this.#pending) {
      this.#obey(this.#pending);
      if (this.edits.length > 0) this.say(`In this link, the hypergraph is edited: ${editsText(this.edits)}`);
    } else this.#tell(before, renames);
    this.#pending = null;
    this.#uncover();
    const mine = ++this.#runs;
    void packedRun(body).then((run) => {
      if (mine !== this.#runs) return;
      this.#run = run;
      this.#unlinked = run === null;
      this.redraw();
    });
  }

  #tell(before: Recording, renames: Renames): void {
    const [was, is] = [before.trace, this.recording.trace];
    // Of another hypergraph, or by another algorithm, everything is new.
    const same = was.algorithm.name === is.algorithm.name && was.hypergraph.name === is.hypergraph.name;
    const model = this.explainer?.model;
    const lines = same && model ? changesBetween(model, before, this.recording, renames) : [];
    const known = hasAnswer(before) && hasAnswer(this.recording);
    const none = known ? "The answer is the same as before." : "Only one of the two recordings has an answer.";
    const seen = this.#editor?.changed(lines.length === 0 && same ? [none] : lines);
    const most = few(lines.length, 2);
    const more = lines.length > most ? ` and ${(lines.length - most).toLocaleString("en")} more` : "";
    if (lines.length > 0 && !seen) this.say(`${lines.slice(0, most).join("; ")}${more}`);
  }

  /** Run what a link has, if it has a run. */
  #open(place: Place): void {
    this.#besides(place);
    const { run } = place;
    if (run === null || run === this.#run) return;
    const editor = this.#editor;
    if (!editor) {
      this.say("This link has a hypergraph of its own, but there is no model in this page to run it.", true);
      return;
    }
    this.#pending = place;
    this.#run = run;
    this.#opening.hidden = false;
    this.#host.classList.add("opening");
    unpackedRun(run).then(
      (body) => {
        if (!editor.open(body)) this.#unlink();
      },
      (error) => {
        this.#unlink();
        this.say(error instanceof Error ? error.message : String(error), true);
      },
    );
  }

  /** The run of a link cannot be shown: the page goes on with its own. */
  #unlink(): void {
    [this.#run, this.#pending] = [null, null];
    this.#uncover();
  }

  #uncover(): void {
    this.#opening.hidden = true;
    this.#host.classList.remove("opening");
  }

  /** Compare the two runs that a link has. */
  #besides({ compared }: Place): void {
    if (compared === null || this.#compare?.compared?.runs.join() === compared.runs.join()) return;
    const failed = (error: unknown) => this.say(error instanceof Error ? error.message : String(error), true);
    if (this.#compare) this.#compare.show(compared).catch(failed);
    else this.say("This link has two runs, but there is no model in this page to run them.", true);
  }

  seek(frame: number): void {
    const before = this.recording.frame;
    this.recording.seek(frame);
    if (this.recording.frame === before) return;
    this.#timeline.welcome(false);
    this.redraw();
  }

  select(thing: Thing | null): void {
    if (thing && this.#editor?.picking) {
      this.#picture.select(null); // nothing fades while members are picked
      if (thing.scope === "vertices") this.#editor.select(thing);
      return;
    }
    this.selected = thing;
    this.#picture.select(thing);
    this.#editor?.select(thing);
    this.#noteSelected();
    this.redraw();
  }

  #noteSelected(): void {
    const { selected } = this;
    setAttribute(this.#host, "data-selected", selected ? `${selected.scope} ${selected.row}` : null);
  }

  /** Select on the picture; show the history if it fits beside it. */
  #picked(thing: Thing | null): void {
    this.select(thing);
    if (thing && this.#mode === "medium" && this.#tab !== "edit") this.show("history");
  }

  /** Says above the picture what clicks do there now. */
  #pickingFor(hyperedge: string | null): void {
    this.#picking.hidden = hyperedge === null;
    if (hyperedge === null) {
      this.#picking.replaceChildren();
      return;
    }
    this.select(null); // what was selected would fade the rest
    const ends = hasKeys() ? " Esc ends." : "";
    const text = `${hasKeys() ? "Click" : "Tap"} vertices to add them to ${hyperedge} or to remove them.${ends}`;
    const done = button("Stop picking (Esc)", { "data-testid": "picking-done" }, () => this.#donePicking(), "Done");
    this.#picking.replaceChildren(el("span", {}, text), done);
    if (this.#mode === "phone") this.show("picture");
  }

  /** End what goes on: picking, the guide or the telling; else clear the selection. A message goes with any of these, or alone. */
  #cancel(): void {
    const told = this.#hush();
    if (this.#editor?.picking) this.#donePicking();
    else if (!this.#story.cancel() && !told) this.select(null);
  }

  /** Says above the picture that it is not of what is in Edit, which has not run; returns whether that is in view. */
  #stale(sentence: string | null): boolean {
    if (sentence !== null && this.#pending) this.#unlink();
    this.#unrun = sentence;
    this.#notRun.hidden = sentence === null;
    if (sentence === null) {
      this.#notRun.replaceChildren();
      return false;
    }
    const { algorithm, hypergraph } = this.recording.trace;
    const before = this.edits.length > 0 ? ", as edited before" : "";
    const on = hypergraph.name === "" ? "the hypergraph from before" : `${isolated(hypergraph.name)}${before}`;
    const shown = `This is still ${isolated(algorithm.name)} on ${on}: what is in Edit has not run. `;
    const undo = button("Undo the last edit", { "data-testid": "not-run-undo" }, () => this.#editor?.undo(), "Undo");
    this.#notRun.replaceChildren(el("span", {}, el("b", {}, shown), sentence), undo);
    return this.#visible("picture");
  }

  #donePicking(): void {
    this.#editor?.endPicking();
    if (this.#mode === "phone") this.show("edit");
  }

  show(tab: Tab): void {
    if (tab !== this.#tab) this.#lastTab = this.#tab;
    this.#tab = tab;
    this.#timeline.welcome(false);
    this.#story.fold();
    this.#arrange();
    if (this.#unrun !== null && this.#visible("picture")) this.#unsay(this.#unrun); // it stands above the picture
    this.redraw();
  }

  /** The Tab key goes on in a panel that a key opened; on a tab of the row, arrows would not step. */
  #enter(tab: Tab): void {
    const panel = this.#panelBox.querySelector<HTMLElement>(`[data-panel=${tab}]`);
    panel?.setAttribute("tabindex", "-1");
    panel?.focus({ preventScroll: true });
  }

  ask(cell: CellPlace): void {
    if (!this.explainer) return;
    this.#machine.ask(cell);
    this.#story.remember(cell);
    this.show("machine");
  }

  links(links: Link[]): void {
    this.#picture?.links(links);
  }

  follow(name: string): void {
    this.#timeline.follow(name);
    if (this.recording.nextChange(name, 1) === null) this.say(`${name} is selected; it has no later change.`);
    else this.#timeline.change(1);
  }

  say(text: string, bad = false): void {
    // Over what is shown: an open dialog covers the rest.
    const over = this.#compare?.root.open ? this.#compare.root : this.#panelBox;
    if (this.#message.parentNode !== over) over.append(this.#message);
    setText(this.#message, text);
    this.#message.className = `message shown${bad ? " bad" : ""}`;
    clearTimeout(this.#messageTimer);
    this.#messageTimer = setTimeout(() => this.#hush(), bad ? 9000 : 4000 + 45 * Math.max(0, text.length - 40));
  }

  /** Take back what was said, if it is still that. */
  #unsay(text: string): void {
    if (this.#message.textContent === text) this.#hush();
  }

  /** Whether something was said that is now closed: it may cover what somebody wants to see. */
  #hush(): boolean {
    const shown = this.#message.classList.contains("shown");
    this.#message.classList.remove("shown");
    return shown;
  }

  redraw(): void {
    this.#waiting ||= requestAnimationFrame(() => this.#render());
  }

  #render(): void {
    this.#waiting = 0;
    const { recording } = this;
    // The picture comes soon: a font on a canvas makes the browser work out the styles of all that has changed so far.
    for (const [tab, panel] of this.#panels) if (tab === this.#pointing) panel.render();
    if (this.#visible("picture")) this.#picture.show();
    if (this.#mode === "phone") this.#chosen.render();
    this.#header.render();
    this.#timeline.render();
    this.#story.render();
    for (const [tab, panel] of this.#panels) if (this.#visible(tab) && !POINTING.has(tab)) panel.render();
    this.#host.dataset.frame = String(recording.frame);
    this.#host.dataset.iteration = String(recording.iteration);
    this.#host.dataset.layer = String(recording.layer);
    this.#address.write(this.#place());
  }

  #visible(tab: Tab): boolean {
    if (tab === this.tab) return true;
    if (this.#mode === "phone") return false;
    if (tab === "picture") return true;
    return this.#mode === "wide" && (tab === "source" || (tab === "history" && this.selected !== null));
  }

  #layOut(editBox: HTMLElement): void {
    const picture = el(
      "section",
      { class: "panel picture-panel", "data-panel": "picture", "aria-label": "Picture" },
      this.#notRun,
      this.#chosen.root,
      this.#picking,
      this.#search.root,
      this.#pictureBox,
    );
    const panels = [...this.#panels.values()].map((panel) => panel.root);
    const dividers = new Dividers(this.#host).nodes;
    this.#panelBox.append(picture, ...panels, editBox, ...dividers, this.#message);
    this.#host.replaceChildren(
      this.#opening,
      this.#header.root,
      this.#panelBox,
      this.#story.root,
      this.#timeline.root,
      this.#help.root,
    );
    this.#host.classList.add("hyloop");
  }

  #arrange(): void {
    const live = this.#live !== null;
    this.#host.dataset.mode = this.#mode;
    this.#host.dataset.tab = this.tab;
    this.#tabs.show(tabsOf(this.#mode, live), this.tab);
    setAttribute(this.#host, "data-live", live ? "" : null);
    // On a phone the picture comes after the panel, and keeps its arrows.
    if (POINTING.has(this.tab)) this.#pointing = this.tab;
    else if (this.#mode !== "phone" || this.tab !== "picture") this.#pointing = null;
    if (this.#pointing !== "attention") this.#attention.hide();
    if (this.#pointing !== "machine") this.#machine.hide();
    // Clicks edit only while the picture is visible beside the editor.
    const picks = this.tab === "edit" || (this.#mode === "phone" && this.tab === "picture");
    if (!picks) this.#editor?.endPicking();
  }

  /** The tabs stand before what they choose among: the Tab key goes from a tab to its panel. */
  #placeTabs(): void {
    const of = { wide: "variables", medium: "source", phone: "picture" }[this.#mode];
    const first = this.#panelBox.querySelector(`[data-panel=${of}]`);
    if (this.#tabs.root.nextSibling !== first) this.#panelBox.insertBefore(this.#tabs.root, first);
  }

  #measure(): void {
    this.#mode = modeOf(document.documentElement.clientWidth || 1200);
    this.#placeTabs();
    this.#arrange();
  }

  #themed(): void {
    this.#header.theme(this.dark);
    this.#picture.theme(this.dark);
    this.#compare?.theme(this.dark);
    this.redraw();
  }

  #place(): Place {
    const { iteration, layer } = this.recording;
    const fallback = shownTab("picture", this.#mode, false);
    const panels: { [tab: string]: { part: number | "mlp" | null } } = {
      machine: this.#machine,
      attention: this.#attention,
    };
    const part = panels[this.tab]?.part;
    return {
      run: this.#run,
      compared: this.#compare?.compared ?? null,
      iteration,
      layer: this.recording.trace.recorded.layers ? layer : null,
      selected: this.selected,
      tab: this.tab === fallback ? null : this.tab,
      ...(part ? { part } : {}),
    };
  }

  #obey(place: Place, first = false): void {
    const frame = frameOfPlace(this.recording, place);
    if (frame !== null) this.recording.seek(frame);
    const { selected } = place;
    const known = selected !== null && selected.row >= 1 && selected.row <= this.recording.count(selected.scope);
    this.selected = known ? selected : null;
    this.#noteSelected();
    if (place.tab) this.#tab = place.tab;
    else if (first) this.#tab = this.#mode === "phone" ? "picture" : "variables";
    this.#arrange();
    if (first) return;
    this.#openPart(place);
    this.#picture.select(this.selected);
    this.redraw();
  }

  /** Open the head, or the MLP, that a link has. */
  #openPart({ tab, part }: Place): void {
    if (tab === "machine") this.#machine.part = part ?? null;
    if (tab === "attention") this.#attention.part = typeof part === "number" ? part : null;
  }

  #saving(): SaveDialog {
    const app = this;
    let before: Tab | null = null; // the tab that the picture takes the place of
    return new SaveDialog({
      get recording() {
        return app.recording;
      },
      get explainer() {
        return app.explainer;
      },
      get edited() {
        return app.edits.length > 0;
      },
      diagram: () => this.#machine.diagram(),
      drawing: () => this.#picture.drawing(),
      reveal: () => {
        before = this.#visible("picture") ? null : this.tab;
        if (before) this.show("picture");
      },
      leave: () => {
        if (before) this.show(before);
        before = null;
      },
      say: (text, bad) => this.say(text, bad),
    });
  }

  #comparing(): void {
    this.#player.pause();
    const { iteration, layer } = this.recording;
    this.#compare?.open({ iteration, layer: this.recording.trace.recorded.layers ? layer : null });
  }

  #explain(): void {
    this.#timeline.welcome(false);
    this.#help.toggle(tabsOf(this.#mode, this.#live !== null), this.recording);
  }

  #copy(): void {
    this.#address.write(this.#place()); // what was opened just now is not drawn again
    const address = this.#address.current();
    if (address.startsWith("about:")) {
      this.say("An embedded page has no link: save the trace as a page, and open that.");
      return;
    }
    if (this.#compare?.unlinked) {
      this.say("These two runs are too large for a link. Download the hypergraphs, and send the files.", true);
      return;
    }
    if (this.#unlinked) {
      this.say("This hypergraph is too large for a link. Download it, and send the file.", true);
      return;
    }
    const file = address.startsWith("file:");
    const edited = this.edits.length > 0 ? "edited hypergraph" : "hypergraph";
    const whole = this.#compare?.compared
      ? "Copied a link to these two runs, with their hypergraphs in it."
      : `Copied a link to this frame, with the ${edited} in it.`;
    const short = `Copied${file ? "; whoever gets it needs this file, too" : ""}: ${address}`;
    const also = file ? " Whoever gets it needs this file, too." : "";
    const opened = this.#adopted
      ? " The model that you opened is not in the link: whoever gets it opens the model file in the page first."
      : "";
    const done = () => this.say((address.length > 200 ? whole + also : short) + opened);
    const failed = () => this.say(`Copy this link: ${address}`);
    try {
      navigator.clipboard.writeText(address).then(done, failed);
    } catch {
      failed();
    }
  }

  /** Whether what is shown needs a model file that was opened here. */
  get #adopted(): boolean {
    const shown = this.#compare?.names ?? [this.recording.trace.algorithm.name];
    return shown.some((name) => this.#live?.isAdopted?.(name) ?? false);
  }

  #listen(): void {
    // A link that could not be copied is selected in it.
    this.#message.addEventListener("click", () => (getSelection()?.isCollapsed ?? true) && this.#hush());
    window.addEventListener("hashchange", () => {
      const place = this.#address.read();
      this.#obey(place);
      this.#open(place);
    });
    // Paper has the variables, and only what is shown is up to date.
    let shown: Tab | null = null;
    window.addEventListener("beforeprint", () => {
      shown = this.tab;
      this.show("variables");
      this.#render();
    });
    window.addEventListener("afterprint", () => {
      if (shown) this.show(shown);
    });
    if (this.#editor) new FileDrop(this.#host, (file) => this.#editor?.take(file));
    new ResizeObserver(() => {
      this.#measure();
      this.redraw();
    }).observe(this.#host);
    const tab = (k: number) => () => {
      this.show(tabsOf(this.#mode, this.#live !== null)[k - 1] ?? this.tab);
      this.#enter(this.tab);
    };
    const digits = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((k) => [String(k), tab(k)]));
    const time = this.#timeline;
    releaseLists();
    listenToKeys({
      ...digits,
      ArrowLeft: () => time.step(-1),
      ArrowRight: () => time.step(1),
      ArrowUp: () => time.iteration(-1),
      ArrowDown: () => time.iteration(1),
      "shift ArrowLeft": () => time.iteration(-1),
      "shift ArrowRight": () => time.iteration(1),
      Home: () => this.seek(0),
      End: () => this.seek(this.recording.length - 1),
      " ": () => this.#player.toggle(),
      n: () => time.change(1),
      p: () => time.change(-1),
      x: () => this.show(this.tab === "state" ? this.#lastTab : "state"),
      w: () => this.#story.why(),
      d: () => this.#theme.toggle(),
      c: () => this.#copy(),
      s: () => this.#save.open(),
      b: () => this.#comparing(),
      "/": () => this.#search.focus(),
      "?": () => this.#explain(),
      Escape: () => this.#cancel(),
    });
  }
}

/** The first few edits, and how many more there are. */
export function editsText(edits: readonly string[]): string {
  const most = few(edits.length, 3);
  const more = edits.length > most ? `; and ${edits.length - most} more` : "";
  return `${edits.slice(0, most).join("; ")}${more}.`;
}
