// The page of the playground. The content of a link is a stranger's: it becomes text of fields and text nodes, nothing else.
const MAX_WAIT_MS = 8000;
// More than anybody writes, and less than makes a page slow.
const MAX_LINK_CHARS = 500_000;
const data = JSON.parse(document.getElementById('data').textContent);
const field = (id) => document.getElementById(id);
const [policy, calls, host, example, results, state] = [
  'policy',
  'calls',
  'host',
  'example',
  'results',
  'state',
].map(field);
let worker;
let source;
let pause;
let limit;
let ownLink;
let isBusy = false;
let isWaiting = false;

async function start() {
  for (const { name, title } of data.hosts) host.append(new Option(title, name));
  for (const [index, { title }] of data.examples.entries()) example.append(new Option(title, String(index)));
  const bytes = Uint8Array.from(atob(field('engine').textContent.trim()), (char) => char.charCodeAt(0));
  const text = await new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).text();
  source = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  open();
  addEventListener('hashchange', () => location.hash.slice(1) !== ownLink && open());
  for (const each of [policy, calls]) each.addEventListener('input', ask);
  host.addEventListener('change', ask);
  example.addEventListener('change', () => show(data.examples[Number(example.value)]));
  field('share').addEventListener('click', share);
  ask();
}

function open() {
  const linked = readLink();
  show(linked ?? data.examples[0]);
  field('from-link').hidden = linked === undefined;
}

function show(session) {
  policy.value = session.policy;
  calls.value = session.calls;
  if (data.hosts.some(({ name }) => name === session.host)) host.value = session.host;
  ask();
}

function ask() {
  clearTimeout(pause);
  pause = setTimeout(send, 150);
}

function send() {
  if (isBusy) {
    isWaiting = true;
    return;
  }
  isBusy = true;
  worker ??= startWorker();
  state.textContent = 'judging…';
  limit = setTimeout(() => end({ failure: 'It took too long, and was stopped' }, true), MAX_WAIT_MS);
  worker.postMessage({ policy: policy.value, calls: calls.value, host: host.value });
}

function startWorker() {
  const started = new Worker(source);
  started.onmessage = (message) => end(message.data, false);
  started.onerror = () => end({ failure: 'This policy cannot be judged in a page' }, true);
  return started;
}

function end(message, isOver) {
  clearTimeout(limit);
  isBusy = false;
  if (isOver) {
    worker?.terminate();
    worker = undefined;
  }
  state.textContent = message.failure ?? '';
  if (message.answer !== undefined) print(message.answer);
  if (!isWaiting) return;
  isWaiting = false;
  send();
}

function print({ problems, steps }) {
  field('problems').textContent = problems;
  results.replaceChildren(
    ...steps.map((step) => {
      const box = document.createElement('details');
      const head = document.createElement('summary');
      // A line that is no call of this agent is neither refused nor let through.
      const isJudged = step.explanation !== '';
      head.className = isJudged ? (step.refused ? 'refused' : 'passes') : '';
      head.append(`${isJudged ? (step.refused ? '✗' : '✓') : '?'} ${step.call}`);
      const reason = document.createElement('p');
      reason.textContent = step.reason;
      const text = document.createElement('pre');
      text.textContent = step.explanation;
      box.append(head, text);
      const item = document.createElement('li');
      item.append(box, ...(step.reason === '' ? [] : [reason]));
      return item;
    }),
  );
}

function share() {
  const text = JSON.stringify({ policy: policy.value, calls: calls.value, host: host.value });
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const link = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (link.length > MAX_LINK_CHARS) {
    state.textContent = 'Cannot put this into an address: it is too long';
    return;
  }
  ownLink = link;
  location.hash = link;
  state.textContent = 'The address now carries the policy and the calls';
}

function readLink() {
  try {
    const text = location.hash.slice(1).replaceAll('-', '+').replaceAll('_', '/');
    if (text === '') return undefined;
    if (text.length > MAX_LINK_CHARS) throw new Error('too long');
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const isText = (each) => typeof each === 'string';
    if (![value?.policy, value?.calls, value?.host].every(isText)) throw new Error('not a session');
    return value;
  } catch {
    state.textContent = 'The link is broken: here is an example instead';
    return undefined;
  }
}

start();
