import { buildLiteralIndex, type LiteralIndex } from '../../lib/literal-index.ts';
import { checkTime } from '../../lib/time-limit.ts';
import { ASSIGNED_SECRETS } from './assignments.ts';
import { LOOSE_SECRETS } from './loose-secrets.ts';
import { NAMED_OWNERS } from './named-owners.ts';
import { ALL_PERSONAL, PERSONAL_DETECTORS } from './personal-data.ts';
import { PRIVATE_KEYS } from './private-key.ts';
import { namesSecretProgram } from './secret-programs.ts';
import { hasCommand, type Redacted, type SecretFinder, type SecretSpan } from './secret-span.ts';
import { SERVICE_TOKENS } from './service-tokens.ts';
import { markedTokenFinder, tokenFinder, URL_PASSWORDS } from './token-finder.ts';

/** One kind of secret that can be found in a text. */
export interface SecretDetector {
  readonly name: string;
  readonly summary: string;
}

interface Row extends SecretDetector {
  /** Whose they are, as `token-owner.ts` reads it. */
  readonly owner?: string;
  readonly finders: readonly SecretFinder[];
}

/** The name that stands for every detector. */
export const ALL_SECRETS = 'secrets';

const ROWS: readonly Row[] = [
  {
    name: 'private-key',
    summary: 'Private keys in PEM form, complete or truncated',
    finders: [PRIVATE_KEYS],
  },
  {
    name: 'aws',
    summary: 'AWS access key ids, secret access keys and session tokens',
    owner: 'AWS amazonaws.com amazonaws.com.cn aws.amazon.com aws.dev api.aws on.aws s3.* minio.*',
    finders: [
      tokenFinder(['AKIA', 'ASIA', 'ABIA', 'ACCA'], () => /A[A-Z]{3}[A-Z0-9]{16}(?![A-Za-z0-9])/y),
      tokenFinder(
        ['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'secretAccessKey', 'SecretAccessKey'],
        () => /\w{15,21}\\?["']?(?:\s{0,4}[=:]\s{0,4}| {1,4})\\?["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/y,
      ),
      tokenFinder(
        ['aws_session_token', 'AWS_SESSION_TOKEN', 'sessionToken', 'SessionToken'],
        () => /\w{12,17}\\?["']?(?:\s{0,4}[=:]\s{0,4}| {1,4})\\?["']?([A-Za-z0-9/+]{100,4096}={0,2})/y,
      ),
      tokenFinder(['ABSK'], () => /ABSK[A-Za-z0-9+/]{100,300}={0,2}/y),
    ],
  },
  {
    name: 'azure',
    summary: 'Azure client secrets, keys of accounts, signatures in addresses and tokens of Azure DevOps',
    owner:
      'AZURE AZURE_OPENAI azure.com windows.net azure.net azurewebsites.net microsoft.com microsoftonline.com visualstudio.com',
    finders: [
      markedTokenFinder(
        Array.from({ length: 10 }, (_, digit) => `${digit}Q~`),
        3,
        () => /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/y,
      ),
      tokenFinder(
        ['AccountKey=', 'SharedAccessKey=', 'accesskey=', 'AccessKey='],
        () => /\w{9,15}=([A-Za-z0-9+/]{20,120}={0,2})/y,
      ),
      tokenFinder(['sig='], () => /sig=([A-Za-z0-9%+/_-]{40,120}={0,2})/y),
      markedTokenFinder(['AZDO'], 76, () => /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/y),
    ],
  },
  {
    name: 'github',
    summary: 'GitHub tokens',
    owner:
      'GITHUB GH github.com github.ai ghe.com githubusercontent.com githubcopilot.com ghcr.io models.inference.ai.azure.com github.* ghe.* git.*',
    finders: [
      tokenFinder(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], () => /gh[a-z]_[A-Za-z0-9]{36,255}/y),
      tokenFinder(['github_pat_'], () => /github_pat_[A-Za-z0-9_]{22,255}/y),
    ],
  },
  {
    name: 'gitlab',
    summary: 'GitLab tokens',
    owner: 'GITLAB CI_JOB GL gitlab.com gitlab.* git.*',
    finders: [
      tokenFinder(
        [
          'glpat-',
          'gldt-',
          'glrt-',
          'glptt-',
          'glcbt-',
          'gloas-',
          'glsoat-',
          'glft-',
          'glimt-',
          'glagent-',
          'glffct-',
          'glwt-',
        ],
        () => /gl[a-z]{2,6}-[A-Za-z0-9_.-]{20,300}/y,
      ),
    ],
  },
  {
    name: 'slack',
    summary: 'Slack tokens and webhook addresses',
    owner: 'SLACK slack.com slack-gov.com',
    finders: [
      tokenFinder(
        ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
        () => /xox[a-z][-.][A-Za-z0-9.%/+=-]{10,300}/y,
      ),
      tokenFinder(['xapp-'], () => /xapp-\d-[A-Za-z0-9-]{10,300}/y),
      tokenFinder(
        ['hooks.slack.com/'],
        () => /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_+-]{20,200})/y,
      ),
    ],
  },
  {
    name: 'google',
    summary: 'Google API keys, access tokens and OAuth client secrets',
    owner:
      'GOOGLE GEMINI GCP GCLOUD googleapis.com google.com gstatic.com firebaseio.com run.app cloudfunctions.net pkg.dev gcr.io',
    finders: [
      tokenFinder(['AIza'], () => /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y),
      tokenFinder(['ya29.'], () => /ya29\.[A-Za-z0-9_-]{20,2048}/y),
      tokenFinder(['1//0'], () => /1\/\/0[A-Za-z0-9_-]{40,250}/y),
      tokenFinder(['GOCSPX-'], () => /GOCSPX-[A-Za-z0-9_-]{20,64}/y),
    ],
  },
  {
    name: 'stripe',
    summary: 'Stripe secret keys, restricted keys and webhook secrets',
    owner: 'STRIPE stripe.com',
    finders: [
      tokenFinder(
        ['sk_live_', 'sk_test_', 'sk_org_', 'rk_live_', 'rk_test_'],
        () => /[rs]k_(?:live|test|org)_[A-Za-z0-9]{10,255}/y,
      ),
      tokenFinder(['whsec_'], () => /whsec_[A-Za-z0-9+/]{24,128}={0,2}/y),
    ],
  },
  {
    name: 'anthropic',
    summary: 'Anthropic keys',
    owner: 'ANTHROPIC CLAUDE anthropic.com claude.com claude.ai',
    finders: [tokenFinder(['sk-ant-'], () => /sk-ant-[A-Za-z0-9_-]{20,255}/y)],
  },
  {
    name: 'openai',
    summary: 'OpenAI keys',
    owner: 'OPENAI openai.com azure.com litellm.* llm.*',
    finders: [
      tokenFinder(
        ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
        () => /sk-[A-Za-z]{4,7}-[A-Za-z0-9_-]{20,255}/y,
      ),
      tokenFinder(['sk-'], () => /sk-[A-Za-z0-9]{40,255}(?![A-Za-z0-9_-])/y),
    ],
  },
  {
    name: 'npm',
    summary: 'npm tokens',
    owner:
      'NPM NODE_AUTH npmjs.org npmjs.com pkg.github.com jfrog.io pkgs.dev.azure.com pkg.dev npm.* pkgs.* packages.* registry.* verdaccio.* nexus.* artifactory.*',
    finders: [
      tokenFinder(['npm_'], () => /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y),
      tokenFinder(
        ['_authToken', '_auth'],
        () => /_auth(?:Token)?(?:\s{0,4}=\s{0,4}| {1,4})["']?([A-Za-z0-9+/_=.-]{8,512})/y,
      ),
    ],
  },
  {
    name: 'pypi',
    summary: 'PyPI tokens',
    owner: 'PYPI TWINE UV_PUBLISH pypi.org pypi.* nexus.* artifactory.*',
    finders: [tokenFinder(['pypi-AgE'], () => /pypi-AgE[A-Za-z0-9_-]{40,1024}/y)],
  },
  {
    name: 'jwt',
    summary: 'JSON web tokens',
    finders: [
      tokenFinder(
        ['eyJ'],
        () => /eyJ[\w-]{8,4096}\.(?:eyJ[\w-]{4,16384}\.|(?:[\w-]{1,16384}\.){3})[\w-]{0,16384}/y,
      ),
    ],
  },
  {
    name: 'service',
    summary: 'Tokens of many other services, told by how they begin or by their form',
    finders: SERVICE_TOKENS,
  },
  {
    name: 'basic-auth-url',
    summary: 'Passwords in web addresses',
    finders: [URL_PASSWORDS],
  },
  {
    name: 'assignment',
    summary:
      'Values assigned to a password, secret, token or key, options such as `--token x`, and bearer tokens',
    finders: [ASSIGNED_SECRETS, ...LOOSE_SECRETS],
  },
  {
    name: 'command-line',
    summary: 'Passwords and tokens that commands are given, as the rows of their programs tell',
    finders: [{ literals: [], find: findCommandSecrets }],
  },
];

interface NamedSpan extends SecretSpan {
  readonly name: string;
  readonly rank: number;
}

interface Indexed {
  readonly name: string;
  readonly owner: string | undefined;
  /** Lower for detectors that are more specific. */
  readonly rank: number;
  readonly finder: SecretFinder;
}

const FINDERS: readonly Indexed[] = ROWS.flatMap(({ name, owner, finders }, rank) =>
  finders.map((finder) => ({ name, owner: finder.owner ?? owner, rank, finder })),
);

/** The services that are known to have tokens. */
export const OWNERS: readonly string[] = [
  ...new Set([...FINDERS.flatMap(({ owner }) => owner ?? []), ...NAMED_OWNERS]),
];

/** Whose tokens a text holds, as far as their form tells. */
export function ownersIn(text: string): readonly string[] {
  const owners = new Set<string>();
  eachLikely(text, ({ owner, finder }) => {
    if (owner !== undefined && finder.find(text).length > 0) owners.add(owner);
  });
  return [...owners];
}

/** What texts with secrets have, but for those that are known by their form. */
export const FINDER_LITERALS: readonly string[] = FINDERS.flatMap(({ finder }) => finder.literals);

/** Building the index takes longer than looking through a text of this many UTF-16 units. */
const MAX_UNINDEXED_LENGTH = 16_384;
let index: LiteralIndex<Indexed> | undefined;

/** Visits the finders that a text is worth showing to. */
function eachLikely(text: string, visit: (finder: Indexed) => void): void {
  if (text.length > MAX_UNINDEXED_LENGTH) {
    index ??= buildLiteralIndex(
      FINDERS.map((item) => ({ literals: item.finder.literals, fold: true, item })),
    );
    index.find(text, visit);
    for (const item of FINDERS) if (item.finder.literals.length === 0) visit(item);
    return;
  }
  const lower = text.toLowerCase();
  for (const item of FINDERS) {
    if (item.finder.literals.length === 0 || item.finder.literals.some((literal) => lower.includes(literal)))
      visit(item);
  }
}

/** Every detector. `secrets` in place of a name stands for all of them. */
export const SECRET_DETECTORS: readonly SecretDetector[] = ROWS.map(({ name, summary }) => ({
  name,
  summary,
}));

/** Every detector, those of personal data included. */
export const DETECTORS: readonly SecretDetector[] = [...SECRET_DETECTORS, ...PERSONAL_DETECTORS];

/** Every name that a policy may give: those of groups, and of each detector. */
export const DETECTOR_NAMES: readonly string[] = [
  ALL_SECRETS,
  ALL_PERSONAL,
  ...DETECTORS.map(({ name }) => name),
];

/** True for a detector's name, and for `secrets` and `personal`. */
export function isDetector(name: string): boolean {
  return DETECTOR_NAMES.includes(name);
}

/** @see {redactSecrets} */
export function redactBy(text: string, detectors: readonly string[] = [ALL_SECRETS]): Redacted {
  const unknown = detectors.find((name) => !isDetector(name));
  if (unknown !== undefined) throw new Error(`Cannot redact "${unknown}": there is no such detector`);
  const wanted = detectors.includes(ALL_SECRETS) ? undefined : detectors;
  const spans: NamedSpan[] = [];
  eachLikely(text, ({ name, rank, finder }) => {
    checkTime();
    if (wanted !== undefined && !wanted.includes(name)) return;
    for (const span of finder.find(text)) {
      checkTime();
      if (!hasCommand(text.slice(span.start, span.end))) spans.push({ ...span, name, rank });
    }
  });
  for (const { name, find } of PERSONAL_DETECTORS) {
    if (!detectors.includes(name) && !detectors.includes(ALL_PERSONAL)) continue;
    checkTime();
    for (const span of find(text)) spans.push({ ...span, name, rank: ROWS.length + spans.length });
  }
  if (spans.length === 0) return { text, found: [] };
  const merged = mergeOverlaps(spans);
  let redacted = '';
  let from = 0;
  for (const { start, end, name } of merged) {
    redacted += `${text.slice(from, start)}[redacted:${name}]`;
    from = end;
  }
  return { text: redacted + text.slice(from), found: [...new Set(merged.map((span) => span.name))] };
}

/** Loaded with the rows: few texts have a command with a secret. */
function findCommandSecrets(text: string): readonly SecretSpan[] {
  if (!namesSecretProgram(text)) return [];
  const { findCommandSecrets: find } =
    require('./command-secrets.ts') as typeof import('./command-secrets.ts');
  return find(text);
}

/** Overlapping spans become one with the name of the most specific detector. */
function mergeOverlaps(spans: readonly NamedSpan[]): readonly NamedSpan[] {
  const merged: NamedSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
    } else {
      const { name, rank } = span.rank < last.rank ? span : last;
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), name, rank };
    }
  }
  return merged;
}
