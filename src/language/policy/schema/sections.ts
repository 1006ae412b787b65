/** A key at the top of a policy file. */
interface Section {
  readonly key: string;
  /** True if a file may hold this section alone. */
  readonly alone?: true;
  /** True if it holds everywhere, whatever `applies_to` says. */
  readonly everywhere?: true;
}

/** The sections of a policy file in the order of `policy fmt`; schema, parser and formatter use this list. */
export const SECTIONS = [
  { key: 'version' },
  { key: 'name' },
  { key: 'description' },
  { key: 'extends', alone: true },
  { key: 'disable', alone: true, everywhere: true },
  { key: 'applies_to' },
  { key: 'parameters' },
  { key: 'settings', alone: true },
  { key: 'defaults', alone: true },
  { key: 'managed', alone: true },
  { key: 'judges', alone: true },
  { key: 'programs', alone: true, everywhere: true },
  { key: 'facts', alone: true },
  { key: 'policies', alone: true },
  { key: 'exceptions', alone: true, everywhere: true },
  { key: 'tools', alone: true, everywhere: true },
] as const satisfies readonly Section[];

export type SectionKey = (typeof SECTIONS)[number]['key'];

export const SECTION_KEYS: readonly SectionKey[] = SECTIONS.map(({ key }) => key);

/** The sections that hardly any other YAML has at its top. */
export const OWN_KEYS = SECTION_KEYS.filter((key) => !['version', 'name', 'description'].includes(key));

/** True if a file has a section that it may hold alone: a file without one says nothing. */
export function hasOwnSection(file: object): boolean {
  return SECTIONS.some((section) => 'alone' in section && Object.hasOwn(file, section.key));
}

export const EVERYWHERE_SECTIONS: readonly SectionKey[] = SECTIONS.flatMap((section) =>
  'everywhere' in section ? [section.key] : [],
);
