import { guardedGlobs, OWN } from '../../../hosts/guards.ts';
import { AGENT_NOTES, GUARDED, INSTRUCTIONS, SERVERS } from '../../generated/guards.ts';

/**
 * Named sets of paths as globs, for policies that say `set: secrets`. `~` is the home directory, a glob that starts
 * with `/` is absolute, every other starts with `**` and a slash and fits at any depth. Names with a dot are matched
 * by wildcards too.
 */
export const PATH_SETS = {
  /** Credentials, keys and tokens. */
  secrets: [
    '**/.env',
    '**/.env.{local,production,prod,development,dev,staging,stage,test,secret,secrets,private,vault,ci}',
    '**/.env.*.local',
    '**/*.env',
    '**/.envrc',
    '~/.ssh/**',
    '**/.ssh/**',
    '**/id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk,xmss}',
    '**/*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk}',
    '~/.aws/**',
    '**/.aws/{credentials,config}',
    '~/.azure/**',
    '~/.config/gcloud/**',
    '**/application_default_credentials.json',
    '**/service{-,_,}account*.json',
    '**/client_secret*.json',
    '~/.kube/config',
    '**/.kube/config',
    '**/kubeconfig',
    '$KUBECONFIG',
    '~/.docker/config.json',
    '**/.docker/config.json',
    '**/.dockercfg',
    '~/.gnupg/**',
    '**/.netrc',
    '**/_netrc',
    '**/.git-credentials',
    '~/.config/git/credentials',
    '~/.config/gh/hosts.yml',
    '~/.config/hub',
    '~/.config/{op,rclone,sops/age}/**',
    '~/.local/share/opencode/auth.json',
    '~/.npmrc',
    '~/.yarnrc.yml',
    '**/.pypirc',
    '~/.cargo/credentials*',
    '~/.gem/credentials',
    '~/.composer/auth.json',
    '**/.pgpass',
    '**/.my.cnf',
    '**/.mylogin.cnf',
    '**/.boto',
    '**/.s3cfg',
    '**/.htpasswd',
    '**/.vault-token',
    '**/.terraformrc',
    '~/.terraform.d/credentials.tfrc.json',
    '**/terraform.tfstate',
    '**/terraform.tfstate.backup',
    '**/secrets.{yml,yaml,json,toml}',
    '**/credentials.{json,yml,yaml,toml}',
    '**/master.key',
    '~/.password-store/**',
    '~/.local/share/keyrings/**',
    '~/Library/Keychains/**',
    '~/.config/{google-chrome,chromium,BraveSoftware}/**/{Cookies,Login Data}',
    '~/.mozilla/firefox/**/{logins.json,key4.db,cookies.sqlite}',
    '~/Library/Application Support/{Google/Chrome,Firefox}/**/{Cookies,Login Data,logins.json,key4.db}',
    '**/.{bash,zsh,python,node_repl,psql,mysql,rediscli,sqlite}_history',
    '~/.{claude,codex,gemini}/{.credentials.json,auth.json,oauth_creds.json}',
    '$CODEX_HOME/auth.json',
    '~/.config/github-copilot/{hosts,apps}.json',
    '~/{.cache/,.}huggingface/token',
    '~/.kaggle/kaggle.json',
    '~/.config/doctl/config.yaml',
    '~/.config/hcloud/cli.toml',
    '~/.config/configstore/firebase-tools.json',
    '~/.local/share/com.vercel.cli/auth.json',
    '~/.supabase/access-token',
    '~/.oci/config',
    '~/.pulumi/credentials.json',
    '~/.config/pypoetry/auth.toml',
    '~/.{sbt,ivy2}/.credentials',
    '**/.vault_pass*',
    '**/wallet.dat',
    '**/*.keychain{,-db}',
    '**/.smbcredentials',
    '/etc/krb5.keytab',
    '/etc/security/opasswd',
    '/etc/wireguard/*.conf',
    '/etc/{shadow,gshadow,sudoers}{,-}',
    '/etc/master.passwd',
    '/etc/sudoers.d/**',
    '/etc/ssh/ssh_host_*_key',
    '/etc/ssl/private/**',
    '/etc/kubernetes/**/*.conf',
    '/run/secrets/**',
    '/var/run/secrets/**',
    '/proc/*/environ',
    '/proc/*/mem',
  ],
  /** The inside of a version control system: history, hooks, configuration. */
  vcs: [
    '**/.git',
    '**/.git/**',
    '**/.hg/**',
    '**/.svn/**',
    '**/.jj/**',
    '**/.bzr/**',
    '~/.gitconfig',
    '~/.config/git/**',
  ],
  /** What the operating system needs. */
  system: [
    '/',
    '/{bin,boot,dev,etc,lib,lib32,lib64,libx32,opt,proc,root,run,sbin,srv,sys,usr,var}',
    '/{bin,boot,etc,lib,lib32,lib64,libx32,proc,root,run,sbin,sys,usr}/**',
    '/dev/{sd,hd,vd,xvd,nvme,mmcblk,loop,md,dm-,disk,mapper,mem,kmem,port}*',
    '/dev/{disk,mapper}/**',
    '/var/{lib,log,spool,cache,mail,db,www}/**',
    '/{Applications,Library,System,Volumes,cores,private}',
    '/{Library,System}/**',
    '/private/{etc,var}',
    '/private/etc/**',
    '/{home,Users}',
    '/{home,Users}/*',
    '~',
  ],
  /** Folders that the system, or all of a user's work, is made of, or everything in one of them. */
  system_folders: [
    '/{bin,boot,dev,etc,home,lib,lib32,lib64,opt,proc,root,run,sbin,srv,sys,usr,var}{,/\\*}',
    '/{Applications,Library,System,Users,Volumes}{,/\\*}',
    '/usr/{bin,lib,lib64,libexec,sbin,share,local}{,/\\*}',
    '/etc/{ssh,pam.d,systemd}',
    '/var/{lib,log}{,/\\*}',
    '/{home,Users}/*',
    '**/[A-Za-z]:{,/,\\\\,/\\*,/{Windows,Users,Program Files}{,/**}}',
    // A folder of this name is nearly always meant to be the home directory.
    '**/\\~',
  ],
  /** Disks, partitions and memory as devices. */
  disks: [
    '/dev/{sd,hd,vd,xvd,nvme,mmcblk,disk,rdisk,md,dm-,mapper/}*',
    '/dev/{mem,kmem,port}',
    '/dev/disk/**',
  ],
  /** What nobody expects to stay: below the folders for temporary files, not those folders themselves. */
  temporary: [
    '/{tmp,var/tmp,private/tmp,private/var/tmp,dev/shm}/*{,/**}',
    '/{var,private/var}/folders/*/*/{T,C}/*{,/**}',
    '$TMPDIR/*{,/**}',
    '$TMP/*{,/**}',
    '$TEMP/*{,/**}',
    '$RUNNER_TEMP/*{,/**}',
  ],
  /** What programs fill again by themselves. */
  caches: [
    '~/.cache/*{,/**}',
    '~/Library/Caches/*{,/**}',
    '/var/cache/*{,/**}',
    '/var/lib/apt/lists/*{,/**}',
    '~/Library/Developer/Xcode/DerivedData/**',
    '~/.npm/{_cacache,_npx,_logs}/**',
    '~/.{pnpm-store,yarn/cache,yarn/berry/cache,bundle/cache,node-gyp,pub-cache,ivy2/cache,nuget/packages}/**',
    '~/.terraform.d/plugin-cache/**',
    '~/.gradle/{caches,daemon,wrapper/dists}/**',
    '~/.cargo/registry/**',
    '~/.m2/repository/**',
    '~/.bun/install/cache/**',
    '~/.local/share/pnpm/store/**',
    '~/go/pkg/mod/**',
    '$XDG_CACHE_HOME/*{,/**}',
  ],
  /** Files that a shell or a login runs by itself. */
  shell_startup: [
    '~/.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zshenv,zprofile,zlogin,zlogout,kshrc,cshrc,tcshrc,login,inputrc,xinitrc,xprofile,xsession}',
    '/{root,home/*,Users/*,etc/skel}/.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zshenv,zprofile,zlogin,zlogout,kshrc,cshrc,tcshrc,login,inputrc,xinitrc,xprofile,xsession}',
    '~/.config/fish/**',
    '~/.config/autostart/**',
    '~/.config/systemd/user/**',
    '~/.config/environment.d/**',
    '~/.pam_environment',
    '~/.ssh/{rc,environment,authorized_keys,authorized_keys2,config}',
    '~/Library/LaunchAgents/**',
    '/Library/Launch{Agents,Daemons}/**',
    '/etc/{profile,bash.bashrc,bashrc,zshenv,zshrc,zprofile,environment,crontab,rc.local,ld.so.preload,anacrontab}',
    '/etc/{profile.d,zsh,cron.d,cron.daily,cron.hourly,cron.weekly,cron.monthly,init.d,pam.d,update-motd.d}/**',
    '/etc/systemd/**',
    '/{usr/lib,lib}/systemd/**',
    '/var/spool/cron/**',
    '/etc/{crontabs,periodic}/**',
    '/{var/cron,usr/lib/cron,var/at,private/var/at}/tabs/**',
  ],
  /** Variables that programs load into their environment, and what such files are made of. */
  environment: [
    '**/{.env,.env.*,.env-*,.env_*,*.env}',
    '**/env.{example,sample,template,dist,default,defaults}',
  ],
  /** What tells agents what they may do, this engine's own files included. */
  agent_config: [
    ...OWN.policies.paths,
    ...OWN.state.paths,
    ...GUARDED,
    ...INSTRUCTIONS,
    ...SERVERS,
    '**/.claude/{hooks,agents,commands,skills,plugins}/**',
    '**/{CLAUDE,AGENTS,GEMINI,QWEN}.md',
    '**/.{gemini,codex,cursor,windsurf,picoclaw,jcli,opencode,continue,qwen,factory,kiro,cline,clinerules}/**',
    '**/.{cursorrules,windsurfrules,goosehints}',
    '**/.github/copilot-instructions.md',
    '~/.jdata/**',
    '~/.config/opencode/**',
    '**/.aider.conf.yml',
    '**/.vscode/{settings,tasks,mcp}.json',
  ],
  /** What decides in which way agents are asked, and whether: the configuration of every host. */
  guarded: GUARDED,
  /** What agents keep for themselves among what is guarded. */
  agent_notes: AGENT_NOTES,
  /** Skills, agents and commands that agents load: what carries hooks or servers where it says so. */
  agent_instructions: INSTRUCTIONS,
  /** Files that name servers to agents. */
  agent_servers: SERVERS,
  /** The policies of projects, users and organisations. */
  own_policies: guardedGlobs(OWN.policies),
  /** What this engine remembers. */
  own_state: guardedGlobs(OWN.state),
  /** This program. */
  own_program: OWN.program.paths,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PathSetName = keyof typeof PATH_SETS;

/** The sets' names, for schemas and hints. */
export const PATH_SET_NAMES: readonly string[] = Object.keys(PATH_SETS);

/** True for a name of `PATH_SETS`. */
export function isPathSetName(name: string): name is PathSetName {
  return Object.hasOwn(PATH_SETS, name);
}
