import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const HAS_REGISTRY = Bun.which('docker-registry') !== null;

/** A registry of Debian on this machine. */
export interface DockerRegistry {
  /** With its port. */
  readonly host: string;
  readonly stop: () => Promise<void>;
}

/** @param htpasswd what its users and their passwords are, as htpasswd writes them; anybody may push unless given */
export async function startRegistry(folder: string, htpasswd?: string): Promise<DockerRegistry> {
  // One that was free a moment ago.
  const probe = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port } = probe;
  await probe.stop(true);
  mkdirSync(join(folder, 'storage'));
  writeFileSync(join(folder, 'htpasswd'), htpasswd ?? '');
  chmodSync(folder, 0o755);
  const config = {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'storage') } },
    http: { addr: `127.0.0.1:${port}`, secret: 'for-tests' },
    ...(htpasswd === undefined ? {} : { auth: { htpasswd: { realm: 'r', path: join(folder, 'htpasswd') } } }),
  };
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(config));
  const child = Bun.spawn(['docker-registry', 'serve', join(folder, 'config.yml')], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    env: { PATH: process.env['PATH'] ?? '', OTEL_TRACES_EXPORTER: 'none' },
  });
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/v2/`).catch(() => undefined);
    if (answer !== undefined)
      return {
        host: `127.0.0.1:${port}`,
        stop: async () => {
          child.kill();
          await child.exited;
        },
      };
    if (child.exitCode !== null) throw new Error(`docker-registry: ${await child.stderr.text()}`);
    await Bun.sleep(50);
  }
  child.kill();
  throw new Error('docker-registry does not answer');
}
