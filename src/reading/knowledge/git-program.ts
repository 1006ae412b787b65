import type { ProgramSpec } from './program-spec.ts';

const DIFF_VALUES =
  '-G -S -O -U,--unified --output --output-indicator-new --output-indicator-old --output-indicator-context --diff-algorithm --anchored --inter-hunk-context --word-diff-regex --diff-filter --src-prefix --dst-prefix --line-prefix --rotate-to --skip-to --ignore-matching-lines -I -l --max-depth';
const LOG_VALUES = `${DIFF_VALUES} -n,--max-count --skip --since --after --until --before --author --committer --grep --format --date --encoding -L --exclude --glob --branches --decorate-refs --decorate-refs-exclude --min-parents --max-parents`;
const PATCHES = '-p,-u,--patch -s,--no-patch -a,--text -b,--ignore-space-change -w,--ignore-all-space';
const COMMIT_LIKE =
  '-m,--message -F,--file -C,--reuse-message -c,--reedit-message -t,--template --author --date --cleanup --trailer --fixup --squash --pathspec-from-file';

const PUSH: ProgramSpec = {
  values: '-o,--push-option --receive-pack --exec --repo',
  attached: '--recurse-submodules --signed --force-with-lease',
  long: '--all --branches --mirror --delete --tags --follow-tags --atomic --dry-run --porcelain --force --force-if-includes --prune --progress --set-upstream --thin --verify --quiet --verbose --ipv4 --ipv6',
  negates: true,
  same: '-f,--force -d,--delete -n,--dry-run -u,--set-upstream -q,--quiet -v,--verbose -4,--ipv4 -6,--ipv6',
};

const FETCH: ProgramSpec = {
  values:
    '-o,--server-option --upload-pack --depth --deepen --shallow-since --shallow-exclude --refmap -j,--jobs --negotiation-tip --filter --submodule-prefix -s,--strategy -X,--strategy-option',
  attached: '--recurse-submodules -r,--rebase -S,--gpg-sign --cleanup',
  long: '--all --append --force --multiple --tags --no-tags --prune --prune-tags --dry-run --keep --quiet --verbose --unshallow --update-shallow --progress --rebase --commit --ff --ff-only --squash --autostash --edit --stat --signoff',
  negates: true,
  same: '-f,--force -p,--prune -q,--quiet -v,--verbose -a,--append -k,--keep -t,--tags -P,--prune-tags -4,--ipv4 -6,--ipv6',
};

const SUBTREE = { values: '-P,--prefix -m,--message -b,--branch --onto' } as const satisfies ProgramSpec;

/** What other subcommands take behind these flags. */
const WORDED = { '--recurse-submodules': 'on-demand check', '--track': 'direct inherit' };

/** What git's own parser takes before a subcommand. */
const GLOBAL_VALUES =
  '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --exec-path';

/** Everywhere but in what is an alias, or acts before it sees that; where `-h` is nothing else, that asks too. */
function withHelp(subcommands: Readonly<Record<string, ProgramSpec>>): Readonly<Record<string, ProgramSpec>> {
  return Object.fromEntries(
    Object.entries(subcommands).map(([name, spec]) => [
      name,
      { ...spec, help: ACTS_ALL_THE_SAME.has(name) ? '' : H_IS_HELP.has(name) ? '--help -h' : '--help' },
    ]),
  );
}

/**
 * Subcommands to which a `--help` behind other words is a word like these, or that have opened a file or run a program
 * when they come to it. Tried with git 2.39.
 */
const ACTS_ALL_THE_SAME = new Set(
  'archive bisect bundle config diff diff-tree fast-import filter-branch grep lfs ls-remote range-diff rev-parse svn'.split(
    ' ',
  ),
);

/** Subcommands that lose something, none of which has a flag `-h`. */
const H_IS_HELP = new Set(
  'branch checkout clean credential filter-repo gc merge prune push read-tree reflog reset restore rm stash submodule switch tag update-ref worktree'.split(
    ' ',
  ),
);

/** git and its subcommands; what they do to files and remotes is in git's own reader. */
export const GIT: ProgramSpec = {
  values: GLOBAL_VALUES,
  stops: true,
  output: 'own',
  remotes: true,
  subcommands: withHelp({
    add: {
      values: '--chmod --pathspec-from-file',
      long: '--all --force --update --patch --interactive --intent-to-add --dry-run --verbose --edit --refresh --ignore-errors --renormalize --sparse',
      negates: true,
      same: '-A,--all -f,--force -n,--dry-run -p,--patch -u,--update -i,--interactive -N,--intent-to-add -e,--edit -v,--verbose',
      rest: 'read',
      recursive: true,
    },
    am: { values: '-C -p --directory --patch-format -S,--gpg-sign', rest: 'read' },
    apply: {
      values: '-C -p --directory --exclude --include --whitespace --build-fake-ancestor',
      rest: 'read',
    },
    archive: {
      values: '-o,--output --prefix --format --remote --exec --add-file --add-virtual-file',
      flags: { '-o': 'write', '--output': 'write', '--add-file': 'read' },
    },
    bisect: {
      subcommands: {
        run: { dashes: 'none' },
        start: {},
        good: {},
        bad: {},
        skip: {},
        reset: {},
        log: {},
        replay: {},
      },
    },
    blame: { values: '-L -S --contents --date --ignore-rev --ignore-revs-file -C -M', rest: 'text' },
    branch: {
      values:
        '-u,--set-upstream-to --contains --no-contains --merged --no-merged --sort --points-at --format',
      attached: '--column --color --abbrev -t,--track',
      long: '--delete --force --move --copy --remotes --all --list --verbose --quiet --edit-description --unset-upstream --show-current --create-reflog --ignore-case',
      negates: true,
      same: '-d,--delete -f,--force -m,--move -c,--copy -r,--remotes -a,--all -l,--list -v,--verbose -q,--quiet -i,--ignore-case',
    },
    bundle: {
      subcommands: {
        create: { values: '--version', first: ['write'] },
        verify: { first: ['read'] },
        unbundle: { first: ['read'] },
      },
    },
    'cat-file': { values: '--batch-command --filter', attached: '--batch --batch-check' },
    checkout: {
      values: '-b -B --orphan --conflict --pathspec-from-file -U,--unified --inter-hunk-context',
      attached: '-t,--track --recurse-submodules',
      worded: WORDED,
      long: '--force --quiet --progress --ours --theirs --detach --guess --merge --patch --overlay --overwrite-ignore --ignore-other-worktrees --ignore-skip-worktree-bits --pathspec-file-nul',
      negates: true,
      same: '-f,--force -q,--quiet -p,--patch -d,--detach -m,--merge -2,--ours -3,--theirs',
    },
    'checkout-index': {
      flags: { '--prefix': 'write' },
      recursive: true,
      values: '--prefix --stage --temp',
      long: '--all --force --quiet --index',
      negates: true,
      same: '-f,--force',
    },
    'cherry-pick': {
      values: '-m,--mainline --strategy -X,--strategy-option --cleanup',
      attached: '-S,--gpg-sign',
      same: '-e,--edit -n,--no-commit -s,--signoff',
    },
    clean: {
      values: '-e,--exclude',
      long: '--force --interactive --dry-run --quiet',
      negates: true,
      same: '-f,--force -n,--dry-run -i,--interactive -q,--quiet',
    },
    clone: {
      values:
        '-o,--origin -b,--branch -u,--upload-pack --reference --reference-if-able --template --depth --shallow-since --shallow-exclude -j,--jobs --separate-git-dir -c,--config --filter --server-option --bundle-uri --revision',
      attached: '--recurse-submodules --recursive',
      same: '-l,--local -n,--no-checkout -q,--quiet -s,--shared -v,--verbose -4,--ipv4 -6,--ipv6',
    },
    commit: {
      values: COMMIT_LIKE,
      attached: '-S,--gpg-sign -u,--untracked-files',
      flags: { '-F': 'read', '--file': 'read' },
      long: '--all --amend --no-verify --allow-empty --allow-empty-message --signoff --patch --dry-run --short --branch --porcelain --long --null --edit --status --include --only --quiet --verbose --interactive --reset-author --verify --no-edit --no-post-rewrite',
      negates: true,
      same: '-a,--all -n,--no-verify -s,--signoff -p,--patch -e,--edit -i,--include -o,--only -q,--quiet -v,--verbose -z,--null',
    },
    'commit-tree': { values: '-p -m -F', attached: '-S' },
    config: {
      values: '-f,--file --blob --type --default --comment --value --url',
      flags: { '-f': 'read', '--file': 'read' },
    },
    credential: { dashes: 'none' },
    describe: { values: '--match --exclude --candidates', attached: '--dirty --broken --abbrev' },
    diff: { values: DIFF_VALUES, same: PATCHES, flags: { '--output': 'write' } },
    difftool: { values: '-t,--tool -x,--extcmd', attached: '--color' },
    'diff-tree': { values: DIFF_VALUES },
    'fast-import': {
      values: '--export-marks --import-marks --depth --active-branches --big-file-threshold',
      long: '--force --quiet --stats --done',
    },
    fetch: FETCH,
    'filter-branch': {
      values:
        '--setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --original -d --state-branch',
    },
    'filter-repo': {
      values:
        '--path --path-glob --path-regex --path-rename --subdirectory-filter --replace-text --refs --source --target --message-callback --commit-callback --blob-callback',
    },
    'for-each-repo': { values: '--config', long: '--keep-going', stops: true },
    'for-each-ref': { values: '--count --sort --format --points-at --contains --merged' },
    'format-patch': {
      values: `${DIFF_VALUES} -o,--output-directory --start-number --suffix --subject-prefix --to --cc --from --in-reply-to -v`,
      flags: { '-o': 'write', '--output-directory': 'write' },
    },
    fsck: {},
    gc: {
      off: 'never',
      attached: '--prune',
      long: '--aggressive --auto --quiet --force --keep-largest-pack',
      negates: true,
    },
    grep: {
      values:
        '-e -f -m,--max-count -A,--after-context -B,--before-context -C,--context --threads --max-depth',
      attached: '-O,--open-files-in-pager',
      rest: 'text',
      flags: { '-f': 'read' },
    },
    'hash-object': { values: '-t --path', rest: 'read' },
    init: { values: '--template --separate-git-dir -b,--initial-branch --object-format', first: ['write'] },
    lfs: {
      subcommands: {
        fetch: { long: '--all --recent --prune' },
        migrate: { subcommands: { import: {}, export: {}, info: {} } },
        prune: { long: '--force --dry-run --recent --verbose --verify-remote', same: '-f,--force' },
        pull: {},
        push: {},
        track: {},
        untrack: {},
        uninstall: {},
      },
    },
    log: { values: LOG_VALUES, same: PATCHES, flags: { '--output': 'write' } },
    'ls-files': { values: '-x,--exclude -X,--exclude-from --with-tree --format' },
    'ls-remote': { values: '--upload-pack --exec -o,--server-option --sort' },
    'ls-tree': { values: '--format --abbrev' },
    merge: {
      values: '-m -F,--file -s,--strategy -X,--strategy-option --cleanup --into-name',
      attached: '-S,--gpg-sign --log',
      long: '--abort --continue --quit --commit --edit --ff --ff-only --squash --stat --signoff --verify --allow-unrelated-histories --autostash --quiet --verbose --overwrite-ignore',
      negates: true,
    },
    'merge-base': {},
    mergetool: { values: '-t,--tool -O' },
    mv: {
      same: '-f,--force -n,--dry-run -v,--verbose',
      rest: 'move',
      last: 'into',
      recursive: true,
      harmless: '-n --dry-run',
    },
    notes: {
      values: '--ref -m -F -C -c',
      subcommands: {
        add: { values: '-m -F -C -c' },
        append: { values: '-m -F -C -c' },
        remove: {},
        prune: {},
        show: {},
        list: {},
      },
    },
    prune: { values: '--expire', long: '--dry-run --verbose --progress', same: '-n,--dry-run' },
    pull: FETCH,
    push: PUSH,
    'range-diff': { values: DIFF_VALUES },
    'read-tree': {
      values: '--prefix --index-output --exclude-per-directory',
      long: '--reset --empty --dry-run',
      same: '-n,--dry-run',
    },
    rebase: {
      values: '--onto -x,--exec -s,--strategy -X,--strategy-option -C --whitespace --empty',
      attached: '-S,--gpg-sign -r,--rebase-merges',
      long: '--interactive --continue --abort --quit --skip --edit-todo --root --autosquash --autostash --fork-point --keep-base --force-rebase --no-verify --update-refs --apply --merge --quiet --verbose --stat --committer-date-is-author-date',
      negates: true,
      same: '-i,--interactive -m,--merge -q,--quiet -v,--verbose -f,--force-rebase -n,--no-stat',
    },
    reflog: {
      subcommands: {
        expire: {
          values: '--expire --expire-unreachable',
          long: '--updateref --rewrite --stale-fix --dry-run --verbose --all --single-worktree',
          same: '-n,--dry-run',
        },
        delete: { long: '--updateref --rewrite --dry-run --verbose', same: '-n,--dry-run' },
        show: { values: LOG_VALUES },
        exists: {},
        list: {},
        drop: {},
      },
    },
    remote: {
      subcommands: {
        add: { values: '-t -m --mirror', first: ['text', 'text'] },
        rename: {},
        remove: {},
        rm: {},
        'set-head': {},
        'set-branches': {},
        'set-url': {},
        'get-url': {},
        show: {},
        prune: {},
        update: {},
      },
    },
    repack: { values: '--window --depth --threads --window-memory --filter' },
    replace: {
      values: '--format',
      long: '--delete --force --edit --graft',
      same: '-d,--delete -f,--force',
    },
    'request-pull': {},
    reset: {
      same: '-p,--patch -q,--quiet -N,--intent-to-add',
      values: '--pathspec-from-file -U,--unified --inter-hunk-context',
      attached: '--recurse-submodules',
      long: '--hard --soft --mixed --merge --keep --patch --quiet --refresh --intent-to-add --pathspec-file-nul',
      negates: true,
    },
    restore: {
      values: '-s,--source --conflict --pathspec-from-file -U,--unified --inter-hunk-context',
      attached: '--recurse-submodules',
      long: '--staged --worktree --patch --ours --theirs --merge --overlay --quiet --progress --ignore-unmerged --ignore-skip-worktree-bits --pathspec-file-nul',
      negates: true,
      same: '-S,--staged -W,--worktree -p,--patch -q,--quiet -m,--merge -2,--ours -3,--theirs',
    },
    revert: {
      values: '-m,--mainline --strategy -X,--strategy-option --cleanup',
      attached: '-S,--gpg-sign',
      same: '-e,--edit -n,--no-commit -s,--signoff',
    },
    'rev-list': { values: LOG_VALUES },
    'rev-parse': { values: '--default --prefix --git-path --resolve-git-dir' },
    rm: {
      values: '--pathspec-from-file',
      long: '--force --dry-run --cached --ignore-unmatch --quiet --sparse --pathspec-file-nul',
      negates: true,
      same: '-f,--force -n,--dry-run',
      rest: 'delete',
      recursive: '-r',
      harmless: '-n --dry-run --cached',
    },
    'send-pack': {
      values: '--receive-pack --exec --remote --push-option',
      long: '--all --mirror --dry-run --force --verbose --thin --atomic --stdin',
      same: '-f,--force -n,--dry-run',
    },
    'send-email': { values: '--to --cc --bcc --from --subject --smtp-server', rest: 'read' },
    shortlog: { values: '--format --group', attached: '-w' },
    show: { values: LOG_VALUES, same: PATCHES, flags: { '--output': 'write' } },
    'show-ref': {},
    'sparse-checkout': { subcommands: { set: {}, add: {}, list: {}, disable: {}, init: {}, reapply: {} } },
    stash: {
      implied: 'push',
      values: '-m,--message --pathspec-from-file',
      subcommands: {
        push: {
          values: '-m,--message --pathspec-from-file',
          same: '-p,--patch -S,--staged -k,--keep-index -u,--include-untracked -a,--all -q,--quiet',
          rest: 'text',
        },
        save: {},
        list: { values: LOG_VALUES },
        show: { values: DIFF_VALUES },
        pop: {},
        apply: {},
        branch: {},
        clear: {},
        drop: {},
        create: {},
        store: { values: '-m,--message' },
      },
    },
    status: {
      same: '-s,--short -b,--branch -v,--verbose',
      attached: '-u,--untracked-files --ignored --column --porcelain --find-renames --ignore-submodules',
    },
    submodule: {
      subcommands: {
        add: {
          values: '-b,--branch --name --reference --depth',
          first: ['text', 'write'],
          recursive: true,
        },
        foreach: { stops: true },
        update: { values: '--reference --depth -j,--jobs --filter' },
        init: {},
        deinit: { long: '--force --all --quiet', negates: true, same: '-f,--force' },
        status: {},
        sync: {},
        summary: {},
        absorbgitdirs: {},
        'set-url': {},
        'set-branch': {},
      },
    },
    subtree: {
      values: SUBTREE.values,
      subcommands: { add: SUBTREE, merge: SUBTREE, pull: SUBTREE, push: SUBTREE, split: SUBTREE },
    },
    svn: {
      values: '-r,--revision -m,--message',
      subcommands: { dcommit: {}, fetch: {}, rebase: {}, reset: {}, clone: {}, log: {}, gc: {} },
    },
    switch: {
      values: '-c,--create -C,--force-create --orphan --conflict',
      attached: '-t,--track --recurse-submodules',
      worded: WORDED,
      long: '--force --discard-changes --merge --detach --guess --quiet --progress --overwrite-ignore --ignore-other-worktrees',
      negates: true,
      same: '-f,--force -m,--merge -d,--detach -q,--quiet',
    },
    'symbolic-ref': { values: '-m', same: '-d,--delete -q,--quiet' },
    tag: {
      values:
        '-m,--message -F,--file -u,--local-user --cleanup --sort --contains --no-contains --merged --no-merged --points-at --format',
      attached: '-n --column --color',
      long: '--annotate --sign --force --delete --verify --list --ignore-case --create-reflog --edit',
      negates: true,
      same: '-d,--delete -f,--force -l,--list -a,--annotate -s,--sign -v,--verify -e,--edit -i,--ignore-case',
    },
    'update-index': { values: '--cacheinfo --chmod --index-version' },
    'update-ref': { values: '-m', long: '--no-deref --stdin --create-reflog' },
    worktree: {
      subcommands: {
        add: {
          values: '-b -B --reason',
          same: '-f,--force -d,--detach -q,--quiet',
          first: ['write'],
          recursive: true,
        },
        list: {},
        lock: { values: '--reason' },
        move: { long: '--force', same: '-f,--force', rest: 'move', last: 'into', recursive: true },
        prune: { values: '--expire', long: '--dry-run --verbose', same: '-n,--dry-run' },
        remove: { long: '--force', negates: true, same: '-f,--force', first: ['delete'], recursive: true },
        repair: {},
        unlock: {},
      },
    },
    'write-tree': {},
  }),
};
