import { EMPTY_WORD, leadingText } from '../../reading/word.ts';
import type { ProgramReader } from '../../shell/scope/walker.ts';

/**
 * Programs that print settings for the shell that evaluates them: `eval "$(ssh-agent -s)"`. For each, what its first
 * argument must be for that, flags before it aside; `any` where it prints nothing else.
 */
const PRINTS_SETTINGS: Readonly<Record<string, string>> = {
  'ssh-agent': 'any',
  'gpg-agent': 'any',
  keychain: 'any',
  dircolors: 'any',
  gdircolors: 'any',
  lesspipe: 'any',
  resize: 'any',
  tset: 'any',
  'dbus-launch': 'any',
  'gnome-keyring-daemon': 'any',
  'register-python-argcomplete': 'any',
  brew: 'shellenv',
  direnv: 'hook export',
  devbox: 'shellenv global generate',
  pyenv: 'init virtualenv-init',
  rbenv: 'init',
  nodenv: 'init',
  goenv: 'init',
  jenv: 'init',
  phpenv: 'init',
  plenv: 'init',
  fnm: 'env completions',
  mise: 'activate env hook-env completion',
  rtx: 'activate env hook-env',
  starship: 'init completions',
  zoxide: 'init',
  atuin: 'init',
  fzf: '--bash --zsh',
  thefuck: '--alias',
  conda: 'shell.bash shell.zsh shell.posix',
  mamba: 'shell.bash shell.zsh shell.posix shell',
  micromamba: 'shell',
  opam: 'env config',
  luarocks: 'path',
  minikube: 'docker-env podman-env completion',
  'docker-machine': 'env',
  tmux: 'show-environment show-env showenv',
  op: 'signin completion',
  npm: 'completion',
  pnpm: 'completion',
  yarn: 'completion',
  deno: 'completions',
  bun: 'completions',
  rustup: 'completions',
  poetry: 'completions',
  pip: 'completion',
  uv: 'generate-shell-completion',
  just: '--completions',
  kubectl: 'completion',
  helm: 'completion',
  kind: 'completion',
  flux: 'completion',
  oc: 'completion',
  docker: 'completion',
  gh: 'completion',
  glab: 'completion',
  ng: 'completion',
};

/** Their output sets variables and defines functions: nothing runs. */
export const SETTINGS_READERS: Readonly<Record<string, ProgramReader>> = Object.fromEntries(
  Object.entries(PRINTS_SETTINGS).map(([name, wanted]): [string, ProgramReader] => {
    const arguments_ = new Set(wanted.split(' '));
    return [
      name,
      ({ args, parsed }) => {
        const firsts = [args[0], parsed.operands[0]].map((first) => leadingText(first?.word ?? EMPTY_WORD));
        return wanted === 'any' || firsts.some((first) => arguments_.has(first)) ? EMPTY_WORD : undefined;
      },
    ];
  }),
);
