// Run by memory.test.ts as a process of its own: writes `count` values and reads each of them back.
import { openDatabase } from '../../src/hook/state/database.ts';
import { createSqliteMemory } from '../../src/hook/state/sqlite-memory.ts';

const [folder = '', name = '', count = '0'] = process.argv.slice(2);
const memory = createSqliteMemory(() => openDatabase(folder), Date.now);
for (let i = 0; i < Number(count); i++) {
  const key = `${name}-${i}`;
  memory.set('retries', key, i);
  if (memory.get('retries', key) !== i) process.exit(1);
}
