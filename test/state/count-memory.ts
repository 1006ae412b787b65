// Run by memory.test.ts as a process of its own: counts to the same number as others, `count` times.
import { openDatabase } from '../../src/hook/state/database.ts';
import { createSqliteMemory } from '../../src/hook/state/sqlite-memory.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const memory = createSqliteMemory(() => openDatabase(folder), Date.now);
for (let i = 0; i < Number(count); i++) memory.update('retries', 'k', (before = 0) => Number(before) + 1);
