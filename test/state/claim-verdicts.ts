// Run by verdict-store.test.ts as a process of its own: claims `count` questions and prints how many it got.
import { openDatabase } from '../../src/hook/state/database.ts';
import { createVerdictStore } from '../../src/hook/state/verdict-store.ts';

const [folder = '', owner = '', count = '0'] = process.argv.slice(2);
const store = createVerdictStore(openDatabase(folder), Date.now);
let taken = 0;
for (let i = 0; i < Number(count); i++) {
  const claim = await store.claim(`question-${i}`, owner, 60_000, 0);
  if (claim.type === 'ours') taken++;
}
console.log(taken);
