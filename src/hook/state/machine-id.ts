import { readFileSync } from 'node:fs';
import { sha256Hex } from '../../lib/digest.ts';

/** A digest that tells this machine from others: of systemd's id, else of its name. */
export function machineId(): string {
  for (const path of ['/etc/machine-id', '/var/lib/dbus/machine-id']) {
    try {
      const text = readFileSync(path, 'utf8').trim();
      if (text !== '') return sha256Hex(['machine', text]);
    } catch {
      // Not every system has one.
    }
  }
  const { hostname } = require('node:os') as typeof import('node:os');
  return sha256Hex(['name', hostname()]);
}
