import type { Host } from '../../hosts/host.ts';
import { closest } from '../../lib/closest.ts';
import { asList, isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { OPEN_CLASSES, type ToolClass } from '../../model/event.ts';
import type { RuleException } from '../../model/policy.ts';
import { PATH_SETS } from '../keys/path/sets.ts';
import { impossibleTest } from '../keys/types/impossible-test.ts';
import { namesIn } from '../keys/types/name-pattern.ts';
import { MODEL_TEXT, unheardText } from '../keys/types/shapes.ts';
import { note, warning } from '../policy/yaml/problem.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';
import { deadCommands } from './dead-commands.ts';
import { deadPaths } from './dead-paths.ts';
import { deadUrls } from './dead-urls.ts';
import type { KnownTools } from './known-tools.ts';
import type { Finding, LintContext, LintedPolicy, LintRule } from './lint-rule.ts';
import { misspeltArguments } from './misspelt-arguments.ts';
import { unmeetable } from './unmeetable.ts';
import { type ValueTestPlace, valueTestsIn } from './value-tests.ts';
import { type WhenPart, whenParts } from './when-parts.ts';

/** Parts of policies that can never match. */
export const neverMatches = {
  codes: ['never-matches'],
  check: (context) => (policy) => {
    const found = [
      ...eventProblems(policy, context),
      ...valueTestsIn(policy.rule.when).flatMap(testProblems),
      ...whenParts(policy.rule.when).flatMap((part) => [
        ...nameProblems(part, policy, context),
        ...classProblems(part, policy, context),
        ...(DEAD_PARTS[part.key]?.(part.spec, part.path) ?? []),
        ...folderProblems(part),
        ...misspeltArguments(part, policy),
      ]),
    ];
    // A part that matches nothing on its own says it better than the key that it clashes with.
    return found.length > 0 ? found : unmeetable(policy);
  },
} as const satisfies LintRule;

/** The parts of an exception that no call passes: it excepts nothing. */
export function deadException({ when, position }: RuleException): readonly Diagnostic[] {
  return valueTestsIn(when)
    .flatMap(testProblems)
    .map(({ severity, message, hint }) =>
      (severity === 'note' ? note : warning)('never-matches', position, message, hint),
    );
}

function eventProblems({ rule, hosts }: LintedPolicy, context: LintContext): readonly Finding[] {
  const hasOne = (host: Host) => rule.on.some((kind) => host.supports(undefined)[kind]);
  if (hosts.length === 0 || hosts.some(hasOne)) return [];
  const others = context.hosts.filter(hasOne);
  const message = `Cannot match on ${namesOf(hosts)}: there is no event ${rule.on.join(' or ')}`;
  const hint =
    others.length === 0
      ? 'policy docs hosts lists the events of each agent'
      : `add ${namesOf(others)} to "hosts"`;
  return [{ path: ['on'], message, hint }];
}

function namesOf(hosts: readonly Host[]): string {
  return hosts.map(({ name }) => name).join(', ');
}

function nameProblems(
  { key, spec, path, negated }: WhenPart,
  { hosts }: LintedPolicy,
  { tools, hosts: all }: LintContext,
): readonly Finding[] {
  // An exception for a tool that is not there excepts nothing, which harms nobody.
  if (key !== 'tool_matcher' || negated || hosts.length === 0) return [];
  return namesIn(String(spec))
    .filter((name) => name !== '' && (isOtherDialect(name) || tools.fitting(name, hosts).length === 0))
    .flatMap((name): readonly Finding[] => {
      const hint = nameHint(name, hosts, all, tools);
      if (hint === undefined) return [];
      const message = `Cannot match tool "${name}": ${namesOf(hosts)} ${hosts.length === 1 ? 'has' : 'have'} none of this name`;
      return [{ path, message, hint }];
    });
}

/** True for a regex, or for several names that are parted by something else than `|`. */
function isOtherDialect(name: string): boolean {
  // A name may have dots: `functions.*`.
  return /[\\^$()[\]+?,]|(?:^|[^A-Za-z0-9])\.\*/.test(name);
}

/** The name that was meant; undefined if it may be one of a plugin's tools. */
function nameHint(
  name: string,
  hosts: readonly Host[],
  all: readonly Host[],
  tools: KnownTools,
): string | undefined {
  if (isOtherDialect(name))
    return 'names are exact or have * for any characters, with | between them; they are no regexes';
  const others = all.filter((host) => tools.fitting(name, [host]).length > 0);
  if (others.length > 0) return `it is a tool of ${namesOf(others)}, for which the policy is not`;
  const known = tools.fitting('*', hosts).map((tool) => tool.name);
  const near = known.find((other) => other.toLowerCase() === name.toLowerCase()) ?? closest(name, known);
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

/** A class that none of the tools named beside it is in. */
function classProblems(
  { key, spec, path, siblings, negated }: WhenPart,
  { hosts }: LintedPolicy,
  { tools }: LintContext,
): readonly Finding[] {
  const pattern = ownString(siblings, 'tool_matcher');
  if (key !== 'tool' || negated || pattern === undefined) return [];
  const fitting = namesIn(pattern).map((name) => tools.fitting(name, hosts));
  const wanted = asList(spec);
  const mayFit = (classes: readonly ToolClass[]) =>
    classes.some((name) => wanted.includes(name) || OPEN_CLASSES.includes(name));
  if (fitting.some((found) => found.length === 0) || fitting.flat().some(({ classes }) => mayFit(classes)))
    return [];
  const classes = [...new Set(fitting.flat().flatMap((found) => found.classes))];
  const message = `Cannot match tool ${wanted.join(' or ')} with "tool_matcher": these tools are ${classes.join(', ')}`;
  return [{ path, message, hint: 'leave out one of the two keys' }];
}

function testProblems(place: ValueTestPlace): readonly Finding[] {
  const { subject, test, path, plain, several } = place;
  const mistake = writtenOtherwise(place);
  if (mistake !== undefined) return [{ path, ...mistake }];
  const odd = oddStarts(place);
  if (odd.length > 0) return odd;
  const cause = several ? undefined : impossibleTest(isJsonObject(test) ? test : { [plain]: test });
  if (cause === undefined) return [];
  const hint = 'all tests of one value must hold together; alternatives belong under "any"';
  return [{ path, message: `Cannot match ${subject}: ${cause}`, hint }];
}

/** A text that says something else than its author meant. */
function writtenOtherwise({
  subject,
  test,
  plain,
}: ValueTestPlace): Pick<Finding, 'message' | 'hint'> | undefined {
  const regex = isJsonObject(test) ? own(test, 'regex') : plain === 'regex' ? test : undefined;
  if (typeof regex === 'string' && regex.includes('\b')) {
    const message = `Cannot match ${subject}: "\\b" in double quotes is the backspace character`;
    return { message, hint: `write ${quoted(regex.replaceAll('\b', '\\b'))}` };
  }
  if (plain !== 'equals' || typeof test !== 'string' || !test.includes('*')) return undefined;
  const message = `Cannot match ${subject} "${test}": a plain text is literal here, with its * too`;
  return { message, hint: `write {glob: ${quoted(test)}}` };
}

/** How values never begin, or hardly ever: then `unless` says when they do. */
interface NoStart {
  readonly isNone: RegExp;
  readonly state: string;
  readonly hint: string;
  readonly rare?: { readonly test: RegExp; readonly unless: string };
}

/** An address of a repository, or no more than an owner. */
const REPOSITORY: NoStart = {
  isNone: /:\/\/|@|\.git$|^[^./*?[{:]{2,}\/?$|^(?:github\.com|gitlab\.com|bitbucket\.org)(?:\/[^/*?[{]*)?$/i,
  state: 'it is the host, the owner and the name of a repository',
  hint: 'write it as github.com/acme/shop, with {glob: …} around it if it has *',
  // `git@nas:shop.git` is `nas/shop`.
  rare: { test: /^[^./*?[{:]{2,}\/[^/]+$/, unless: 'unless a host has the name in front of the slash' },
};
const BRANCH: NoStart = {
  isNone: /^refs\/heads\//,
  state: 'a branch has its short name here',
  hint: 'leave out refs/heads/',
};
const ABSOLUTE: NoStart = {
  isNone: /^(?![A-Za-z]:)[\w.~]/,
  state: 'it is an absolute path',
  hint: 'write it from / on',
};

const STARTS: Readonly<Record<string, NoStart>> = {
  'context "cwd"': ABSOLUTE,
  'context "repository_root"': ABSOLUTE,
  'context "repository"': REPOSITORY,
  'context "branch"': BRANCH,
  'url "path"': { isNone: /^[^/*?[{\\]/, state: 'the path of a URL begins with /', hint: 'begin with /' },
};

/** The values of a test that no value begins with; the test as a whole if it has no others. */
function oddStarts({ subject, test, plain, path }: ValueTestPlace): readonly Finding[] {
  const start = STARTS[subject];
  if (start === undefined) return [];
  const { equals, glob, regex, one_of }: JsonObject = isJsonObject(test) ? test : { [plain]: test };
  // Of a regex, only the first letter is sure; a drive has a colon behind it.
  const first = /^\^(?![A-Za-z]:)([\w-])[^|]*$/.exec(String(regex))?.[1];
  const [whole] = [equals, glob, first].flatMap((text) => complaintOf(start, subject, text));
  if (whole !== undefined) return [{ path, ...whole }];
  const values = Array.isArray(one_of) ? one_of : [];
  const odd = values.flatMap((text: Json, index) =>
    complaintOf(start, `${subject} "${text}"`, text).map((said) => ({
      path: [...path, 'one_of', index],
      ...said,
    })),
  );
  const [one] = odd;
  if (one === undefined || odd.length < values.length) return odd;
  return complaintOf(start, subject, values[0]).map((said) => ({ path, ...said }));
}

function complaintOf(
  { isNone, rare, state, hint }: NoStart,
  subject: string,
  text: Json | undefined,
): readonly Pick<Finding, 'message' | 'hint' | 'severity'>[] {
  if (typeof text !== 'string' || text === '') return [];
  if (isNone.test(text)) return [{ message: `Cannot match ${subject}: ${state}`, hint }];
  if (rare?.test.test(text) !== true) return [];
  return [{ severity: 'note', message: `Cannot match ${subject} ${rare.unless}: ${state}`, hint }];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Finds parts of tests that no call meets, by key. */
const DEAD_PARTS: Readonly<Record<string, typeof deadCommands>> = {
  command: deadCommands,
  path: deadPaths,
  url: deadUrls,
  model_prefix: deadModels,
  arguments_match: deadMatch,
  arguments_violate: deadViolate,
};

/** A folder in a policy that is meant for the files in it. */
function folderProblems({ key, spec, path }: WhenPart): readonly Finding[] {
  if (key !== 'path' || (isJsonObject(spec) && own(spec, 'uses') !== undefined)) return [];
  const inMatch = isJsonObject(spec);
  const globs = inMatch ? own(spec, 'match') : spec;
  if (globs === undefined) return [];
  const all = asList(globs).map(String);
  return all.flatMap((glob, index): readonly Finding[] => {
    if (!KNOWN_FOLDERS.has(glob) || all.some((other) => other.startsWith(`${glob}/`))) return [];
    const at = [...path, ...(inMatch ? ['match'] : []), ...(Array.isArray(globs) ? [index] : [])];
    const message = `Cannot match what lies in "${glob}": the glob is the folder itself`;
    return [{ path: at, message, hint: `write [${glob}, ${glob}/**]` }];
  });
}

/** Folders of which the named sets of paths list all that lies in them. */
const KNOWN_FOLDERS: ReadonlySet<string> = new Set(
  Object.values(PATH_SETS).flatMap((globs) =>
    globs.flatMap((glob: string) =>
      glob.startsWith('~/') && glob.endsWith('/**') ? [glob.slice(0, -3)] : [],
    ),
  ),
);

/** `gpt-,claude-` */
function deadModels(spec: Json, path: YamlPath): readonly Finding[] {
  return asList(spec).flatMap((start, index) => {
    const unheard = unheardText(MODEL_TEXT, String(start));
    return unheard === undefined ? [] : [{ path: Array.isArray(spec) ? [...path, index] : path, ...unheard }];
  });
}

/** Keywords that ask nothing of a value. */
const SILENT = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
]);

/** A schema that no arguments satisfy: they are an object. */
function deadMatch(schema: Json, path: YamlPath): readonly Finding[] {
  if (takesObjects(schema)) return [];
  const hint = 'leave "type" out, and describe the arguments under "properties"';
  return [{ path: [...path, 'type'], message: `Cannot match: the arguments of a call are an object`, hint }];
}

/** A schema that all arguments satisfy. */
function deadViolate(schema: Json, path: YamlPath): readonly Finding[] {
  const keys = Object.keys(isJsonObject(schema) ? schema : {}).filter((key) => !SILENT.has(key));
  if (!takesObjects(schema) || keys.some((key) => key !== 'type')) return [];
  const hint = 'say what the arguments must be: required, properties';
  return [{ path, message: 'Cannot match: the arguments of each call satisfy this schema', hint }];
}

function takesObjects(schema: Json): boolean {
  const type = isJsonObject(schema) ? own(schema, 'type') : undefined;
  return type === undefined || asList(type).includes('object');
}
