import { COMMAND_KEYS, type SpecKind } from '../../matchers/command-keys.ts';

/** How a spec is to be taken apart. Whatever is not described is left whole. */
export type Shape =
  | { readonly type: 'whole' }
  /** A regex. */
  | { readonly type: 'regex' }
  /** A glob on paths. */
  | { readonly type: 'glob' }
  /** Names with `|` between them. */
  | { readonly type: 'names' }
  /** One, or a list of which any is enough. */
  | {
      readonly type: 'choice';
      readonly item: Shape;
      /** Items that only cases reach that nobody writes down; their absence is not asked about. */
      readonly outOfReach?: readonly string[];
    }
  /** A list of which all must hold. */
  | { readonly type: 'every'; readonly item: Shape }
  /** A list that is compared from its beginning: fewer items match more. */
  | { readonly type: 'sequence'; readonly item: Shape }
  /** A mapping of which any entry is enough. */
  | { readonly type: 'options'; readonly item: Shape }
  /** A text has one shape, a mapping the other. */
  | { readonly type: 'either'; readonly text: Shape; readonly mapping: Shape }
  /** A mapping whose keys must all hold. */
  | {
      readonly type: 'keys';
      readonly keys: () => Readonly<Record<string, KeyShape>>;
      readonly other?: Shape;
    };

/** What stands under a key. */
export interface KeyShape {
  readonly shape: Shape;
  /** True if what it names does not count. */
  readonly negative?: true;
  /** True if leaving it out gives something else, not something wider. */
  readonly fixed?: true;
}

const WHOLE: Shape = { type: 'whole' };
const REGEX: Shape = { type: 'regex' };
const GLOB: Shape = { type: 'glob' };

function choice(item: Shape): Shape {
  return { type: 'choice', item };
}

function keys(shapes: () => Readonly<Record<string, KeyShape>>, other?: Shape): Shape {
  return { type: 'keys', keys: shapes, ...(other === undefined ? {} : { other }) };
}

const TEST_KEYS = keys(() => ({
  regex: { shape: REGEX },
  not_regex: { shape: REGEX, negative: true },
  one_of: { shape: choice(WHOLE) },
  finds: { shape: choice(WHOLE) },
}));
/** A test on a value: a plain text is a regex. */
const TEST: Shape = { type: 'either', text: REGEX, mapping: TEST_KEYS };
/** A test on a value: a plain text means equality. */
const PLAIN_TEST: Shape = { type: 'either', text: WHOLE, mapping: TEST_KEYS };

const WHICH_PATHS = choice({
  type: 'either',
  text: GLOB,
  mapping: keys(() => ({ match: { shape: choice(GLOB) }, set: { shape: choice(WHOLE) } })),
});

const SET_VARIABLES = choice({
  type: 'either',
  text: WHOLE,
  mapping: keys(() => ({
    any: { shape: choice(WHOLE) },
    except: { shape: choice(WHOLE), negative: true },
    unless: { shape: choice(WHOLE), negative: true },
    from: { shape: WHICH_PATHS, negative: true },
  })),
});

const WRITTEN_FIELDS = choice({
  type: 'either',
  text: WHOLE,
  mapping: keys(() => ({
    any: { shape: choice(WHOLE), fixed: true },
    unseen: { shape: WHOLE },
    from: { shape: WHICH_PATHS, negative: true },
  })),
});

const PATHS = choice({
  type: 'either',
  text: GLOB,
  mapping: keys(() => ({
    match: { shape: choice(GLOB) },
    set: { shape: choice(WHOLE) },
    uses: { shape: choice(WHOLE) },
    sets: { shape: SET_VARIABLES },
    fields: { shape: WRITTEN_FIELDS },
    unknown: { shape: WHOLE, fixed: true },
    except: { shape: WHICH_PATHS, negative: true },
    unless: { shape: WHICH_PATHS, negative: true },
  })),
});

const URLS: Shape = choice({
  type: 'either',
  text: WHOLE,
  mapping: keys(() => ({
    scheme: { shape: choice(WHOLE) },
    host: { shape: choice(PLAIN_TEST) },
    port: { shape: choice(WHOLE) },
    path: { shape: TEST },
    except: { shape: URLS, negative: true },
  })),
});

const FLAGS = keys(() => ({
  any: { shape: choice(WHOLE) },
  all: { shape: { type: 'every', item: WHOLE } },
  none: { shape: choice(WHOLE), negative: true },
  unless: { shape: choice(WHOLE), negative: true },
  values: { shape: keys(() => ({}), TEST) },
}));

const OPERANDS = keys(() => ({
  first: { shape: TEST },
  rest: { shape: TEST },
  every: { shape: TEST },
  any: { shape: TEST },
}));

const VARIABLES = choice({ type: 'either', text: WHOLE, mapping: { type: 'options', item: TEST } });

/** What stands under the keys of a command test, by its kind; `yes` can only be left out. */
const COMMAND_SHAPES: Readonly<Record<SpecKind, () => Shape>> = {
  names: () => choice(WHOLE),
  words: () => ({ type: 'sequence', item: choice(WHOLE) }),
  flags: () => FLAGS,
  operands: () => OPERANDS,
  paths: () => PATHS,
  command: () => COMMANDS,
  urls: () => URLS,
  variables: () => VARIABLES,
  values: () => choice(WHOLE),
  yes: () => WHOLE,
};

const COMMANDS: Shape = choice({
  type: 'either',
  text: WHOLE,
  mapping: keys(() => ({
    ...Object.fromEntries(COMMAND_KEYS.map(({ key, kind }) => [key, { shape: COMMAND_SHAPES[kind]() }])),
    // Commands of more than a MiB.
    unreadable: { shape: { type: 'choice', item: WHOLE, outOfReach: ['too_long'] } },
    except: { shape: COMMANDS, negative: true },
  })),
});

/** The matching keys of a policy. A matcher that is not listed is a key that can only be left out. */
export const WHEN: Shape = keys(() => ({
  hosts: { shape: choice(WHOLE) },
  tool: { shape: choice(WHOLE) },
  tool_matcher: { shape: { type: 'names' } },
  model_prefix: { shape: choice(WHOLE) },
  context: { shape: keys(() => ({}), PLAIN_TEST) },
  event: { shape: keys(() => ({}), TEST) },
  arguments: { shape: keys(() => ({}), TEST) },
  content: {
    shape: {
      type: 'either',
      text: REGEX,
      mapping: keys(() => ({ test: { shape: TEST, fixed: true }, scope: { shape: WHOLE, fixed: true } })),
    },
  },
  command: { shape: COMMANDS },
  path: { shape: PATHS },
  url: { shape: URLS },
  suspicious_text: { shape: choice(WHOLE) },
  any: { shape: choice(WHEN) },
  all: { shape: { type: 'every', item: WHEN } },
  not: { shape: WHEN, negative: true },
}));
