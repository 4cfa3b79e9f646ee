// The socket to the server: it is opened again when it was lost, and what is said is marked with the version.
const VERSION = 1;
const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 8000;

export class Talk {
  constructor(token, hear, tell) {
    this.token = token;
    this.hear = hear; // called with each message
    this.tell = tell; // called with what is wrong with the connection; "" when nothing is
    this.wait = FIRST_WAIT;
    this.refused = false;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/talk`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.say("hello", this.token ? { token: this.token } : {});
    });
    this.socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.v !== VERSION) {
        this.tell("The server speaks another version: load this page anew.");
        return;
      }
      this.refused = message.kind === "error" && message.about === "hello";
      if (message.kind === "welcome") this.tell("");
      this.hear(message);
    });
    this.socket.addEventListener("close", () => {
      if (this.refused) return;
      this.tell("The connection is lost; trying again …");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  say(kind, fields = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ v: VERSION, kind, ...fields }));
  }
}
