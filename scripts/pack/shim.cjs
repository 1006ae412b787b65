#!/usr/bin/env node
// Starts the program of this platform for who types `policy`. Agents start it themselves: `policy install` writes its own path.
'use strict';
const { spawnSync } = require('node:child_process');

const os = process.platform === 'win32' ? 'windows' : process.platform;
const file = process.platform === 'win32' ? 'policy.exe' : 'policy';
const names = [`${os}-${process.arch}`];
if (os === 'linux') {
  const hasGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  names[hasGlibc ? 'push' : 'unshift'](`${os}-${process.arch}-musl`);
}

function find() {
  for (const name of names) {
    try {
      return require.resolve(`@policy-hook/${name}/bin/${file}`);
    } catch {
      // Only the package of this platform is installed.
    }
  }
  return undefined;
}

const program = find();
if (program === undefined) {
  console.error(
    `policy: Cannot find the program for ${names[0]}: install policy-hook with its optional dependencies`,
  );
  process.exit(2);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
if (error) console.error(`policy: Cannot start "${program}": ${error.message}`);
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 2);
