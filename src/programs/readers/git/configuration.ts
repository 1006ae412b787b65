/** When a program named in git's configuration runs. */
export type GitOccasion = 'always' | 'remote' | 'pager' | 'editor' | 'diff' | 'hooks' | 'sign';

/** Configuration keys (and the ends of keys with a name in the middle) whose value is a command, and when it runs. */
export const GIT_COMMAND_KEYS: readonly (readonly [RegExp, GitOccasion])[] = [
  [/^core\.sshcommand$/, 'remote'],
  [/^core\.gitproxy$/, 'remote'],
  [/^core\.askpass$/, 'remote'],
  [/^core\.fsmonitor$/, 'always'],
  [/^core\.pager$/, 'pager'],
  [/^pager\..+$/, 'pager'],
  [/^core\.editor$/, 'editor'],
  [/^sequence\.editor$/, 'editor'],
  [/^core\.hookspath$/, 'hooks'],
  [/^credential\.(?:.+\.)?helper$/, 'remote'],
  [/^remote\..+\.(?:uploadpack|receivepack|vcs)$/, 'remote'],
  [/^diff\.external$/, 'diff'],
  [/^diff\..+\.(?:command|textconv)$/, 'diff'],
  [/^interactive\.difffilter$/, 'diff'],
  [/^filter\..+\.(?:clean|smudge|process)$/, 'always'],
  [/^merge\..+\.driver$/, 'always'],
  [/^(?:difftool|mergetool|browser|man)\..+\.(?:cmd|path)$/, 'always'],
  [/^gpg\.(?:.+\.)?program$/, 'sign'],
  [/^uploadpack\.packobjectshook$/, 'remote'],
  [/^sendemail\..*(?:smtpserver|tocmd|cccmd)$/, 'always'],
  [/^init\.templatedir$/, 'hooks'],
];

/** Environment variables whose value is a command, and when it runs. */
export const GIT_COMMAND_VARIABLES: readonly (readonly [RegExp, GitOccasion])[] = [
  [/^(?:GIT_SSH_COMMAND|GIT_SSH|GIT_PROXY_COMMAND|GIT_ASKPASS|SSH_ASKPASS)$/, 'remote'],
  [/^(?:GIT_)?PAGER$/, 'pager'],
  [/^(?:GIT_EDITOR|GIT_SEQUENCE_EDITOR|VISUAL|EDITOR)$/, 'editor'],
  [/^GIT_EXTERNAL_DIFF$/, 'diff'],
  [/^(?:GIT_TEMPLATE_DIR|GIT_EXEC_PATH)$/, 'hooks'],
];

/** Subcommands by the occasions they give; `always` and `hooks` are every subcommand's. */
export const GIT_OCCASIONS: Readonly<Record<Exclude<GitOccasion, 'always' | 'hooks'>, RegExp>> = {
  remote:
    /^(?:fetch|pull|push|clone|ls-remote|submodule|remote|send-pack|fetch-pack|archive|svn|p4|credential|lfs)$/,
  pager: /^(?:log|diff|show|blame|grep|branch|tag|config|shortlog|help|reflog|stash|whatchanged|range-diff)$/,
  editor: /^(?:commit|rebase|merge|tag|revert|cherry-pick|notes|config|branch|pull|am|replace)$/,
  diff: /^(?:diff|log|show|add|stash|status|commit|difftool|format-patch|checkout|restore|reset)$/,
  sign: /^(?:commit|tag|merge|push|rebase|am|verify-commit|verify-tag|log|show)$/,
};
