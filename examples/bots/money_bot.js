#!/usr/bin/env node
// A bot in JavaScript: it looks at what it sees, and takes money as long as it has less than ten dollars.
//
//     python evaluate.py "cmd:node examples/bots/money_bot.js" --against greedy
//
// Actions are named by their texts here; their ids do as well.
'use strict';
const readline = require('readline');

const ENOUGH = 10; // dollars

function send(message) {
  process.stdout.write(JSON.stringify(message) + '\n');
}

function moneyOf(view) {
  const position = view.position;
  const owners = position.owners || position.money.map((money) => ({ money })); // each game in words of its own
  return owners[Math.min(view.seat, owners.length - 1)].money;
}

function choose(view, texts) {
  if (moneyOf(view) < ENOUGH && texts.includes('money')) return 'money';
  return texts[Math.floor(Math.random() * texts.length)];
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'hello') {
    send({ type: 'hello', protocol: 1, name: 'money bot' });
  } else if (message.type === 'decision') {
    const action = choose(message.view, message.actions.map((one) => one.text));
    send({ type: 'answer', game: message.game, decision: message.decision, action });
  } else if (message.type === 'fault') {
    process.stderr.write(`game ${message.game} is lost: ${message.message}\n`);
  }
});
