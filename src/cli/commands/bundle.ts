import type { Command } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export const bundle = {
  operands: 'keygen NAME | build [FOLDER] | verify FILE | inspect FILE | push FILE OCI | pull OCI',
  options: [
    { name: 'name', value: 'NAME', summary: 'build: call it this; verify, pull: refuse another one' },
    { name: 'version', value: 'VERSION', summary: 'build: its version, as in 1.4.0 or 2026.11.3' },
    { name: 'expires', value: 'DATE', summary: 'build: nobody takes it after this day or time' },
    {
      name: 'key',
      value: 'FILE',
      repeatable: true,
      summary: 'build: sign with this secret key; verify, pull: a public key that may sign',
    },
    {
      name: 'withdrawn',
      value: 'FILE',
      repeatable: true,
      summary: 'verify, pull: a public key that no longer may',
    },
    { name: 'keyless', summary: 'build: sign through Sigstore as the one whom the CI vouches for' },
    {
      name: 'certificate-identity',
      value: 'SUBJECT',
      summary: 'verify, pull: who may sign without a key; * for any characters but /',
    },
    { name: 'certificate-oidc-issuer', value: 'URL', summary: 'verify, pull: who vouches for them' },
    {
      name: 'trusted-root',
      value: 'FILE',
      summary: "verify, pull: the trusted root of a Sigstore of one's own",
    },
    { name: 'fulcio-url', value: 'URL', summary: 'build: its certificate authority' },
    { name: 'rekor-url', value: 'URL', summary: 'build: its log of signatures' },
    { name: 'at-least', value: 'VERSION', summary: 'verify, pull: refuse an older one' },
    { name: 'to', value: 'FILE', summary: 'build, pull: write it there; NAME-VERSION.tgz unless given' },
    { name: 'json', summary: 'verify, inspect: print data; "version" names its shape' },
  ],
  details: [
    'A bundle is one file with the policies of a folder, the programs they describe, the data they name, the digest of\ntheir tests, a name and a version. The same folder makes the same bytes. docs/bundles.md tells more.',
    'keygen writes NAME.key, which signs and stays secret, and NAME.pub, which verifies.',
    'build takes the folder that policy test would take, and refuses policies that policy check refuses.',
    'verify ends with 1 and the reason where a bundle is unsigned, altered, expired, older than it must be, or signed by\nnobody who may. inspect shows what a bundle says of itself, and verifies no signature.',
    'push and pull take a name in an OCI registry: oci://HOST/REPOSITORY:TAG, or @sha256:DIGEST in place of the tag. The\npassword is the one that docker login or oras login has kept. pull with --key verifies before it writes.',
  ],
  example: [
    '$ policy bundle keygen acme',
    'Wrote acme.key and acme.pub: key 5d0ab5a1b2c3d4e5',
    '$ policy bundle build policies --name acme --version 1.4.0 --key acme.key',
    'Built acme-1.4.0.tgz: 12 files, signed with key 5d0ab5a1b2c3d4e5',
    '$ policy bundle verify acme-1.4.0.tgz --key acme.pub',
    'acme 1.4.0 is signed with key 5d0ab5a1b2c3d4e5',
  ],
  async run(args, io) {
    const [task, ...operands] = args.operands;
    switch (task) {
      case 'keygen':
        return (await import('../bundle/keygen.ts')).generateKeyFiles(operands, io);
      case 'build':
        return (await import('../bundle/build.ts')).buildFromFolder(operands, args, io);
      case 'verify':
        return (await import('../bundle/verify.ts')).verifyFile(operands, args, io);
      case 'inspect':
        return (await import('../bundle/inspect.ts')).inspectFile(operands, args, io);
      case 'push':
        return (await import('../bundle/push.ts')).pushFile(operands, io);
      case 'pull':
        return (await import('../bundle/pull.ts')).pullToFile(operands, args, io);
      default: {
        const what = task === undefined ? 'name what to do' : `Cannot do "${task}"`;
        throw new UsageError(`${what}: write keygen, build, verify, inspect, push or pull`);
      }
    }
  },
} satisfies Command;
