import type { Command } from '../command.ts';
import { UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';

export const bundle = {
  operands: 'keygen NAME | build [FOLDER] | verify FILE | inspect FILE | push FILE OCI | pull OCI',
  options: optionsOf({
    '--name NAME': 'build: the name of the bundle; verify, pull: refuse any other name',
    '--version VERSION': 'build: the version, such as 1.4.0 or 2026.11.3',
    '--expires DATE': 'build: nobody accepts the bundle after this day or time',
    '--key FILE...': 'build: sign with this secret key; verify, pull: a public key that may sign',
    '--withdrawn FILE...': 'verify, pull: a public key that may no longer sign',
    '--keyless': 'build: sign through Sigstore with the identity your CI vouches for',
    '--certificate-identity SUBJECT': 'verify, pull: who may sign without a key; * for any characters but /',
    '--certificate-oidc-issuer URL': 'verify, pull: who vouches for them',
    '--trusted-root FILE': 'verify, pull: the trusted root of your own Sigstore',
    '--fulcio-url URL': 'build: the certificate authority of your own Sigstore',
    '--rekor-url URL': 'build: the signature log of your own Sigstore',
    '--at-least VERSION': 'verify, pull: refuse an older one',
    '--to FILE': 'build, pull: the file to write; NAME-VERSION.tgz by default',
    '--json': 'verify, inspect: print JSON',
  }),
  details: [
    'A bundle is one file with the policies of a folder, their program rows and data, the digest of their tests, a name\nand a version. Builds are reproducible. See docs/bundles.md.',
    'keygen writes NAME.key, which signs and must stay secret, and NAME.pub, which verifies.',
    'build packs the folder that policy test would take, and refuses policies in which policy check finds errors.',
    'verify exits with 1 and the reason if a bundle is unsigned, altered, expired, too old, or signed by somebody who may\nnot. inspect shows what a bundle says about itself and verifies no signature.',
    'push and pull take a name in an OCI registry: oci://HOST/REPOSITORY:TAG, or @sha256:DIGEST instead of the tag. They\nuse the password that docker login or oras login stored. pull with --key verifies before it writes.',
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
        return (await import('../bundle/key-files.ts')).generateKeyFiles(operands, io);
      case 'build':
        return (await import('../bundle/build.ts')).buildFromFolder(operands, args, io);
      case 'verify':
        return (await import('../bundle/use-bundle.ts')).verifyFile(operands, args, io);
      case 'inspect':
        return (await import('../bundle/use-bundle.ts')).inspectFile(operands, args, io);
      case 'push':
        return (await import('../bundle/use-bundle.ts')).pushFile(operands, io);
      case 'pull':
        return (await import('../bundle/use-bundle.ts')).pullToFile(operands, args, io);
      default: {
        const what = task === undefined ? 'name what to do' : `Cannot do "${task}"`;
        throw new UsageError(`${what}: write keygen, build, verify, inspect, push or pull`);
      }
    }
  },
} satisfies Command;
