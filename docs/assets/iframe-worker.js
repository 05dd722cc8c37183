// Search runs in a worker, and browsers start none from a file on disk. There, the worker's script runs in a hidden
// frame instead, which has a global scope of its own too. The name of this file tells the theme that it needs no other.
"use strict";

if (window.location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const inside = this.#frame.contentWindow;
      inside.postMessage = (data) => window.setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
      inside.importScripts = (...urls) => urls.reduce((before, each) => before.then(() => this.#load(each)), Promise.resolve());
      this.#ready = this.#load(url);
    }

    #load(url) {
      return new Promise((resolve, reject) => {
        const script = this.#frame.contentDocument.createElement("script");
        script.src = new URL(url, document.baseURI).href;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${url} cannot be loaded.`));
        this.#frame.contentDocument.head.append(script);
      });
    }

    // What is said before the script is there waits for it.
    postMessage(data) {
      const inside = this.#frame.contentWindow;
      this.#ready.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
