/** Configuration keys (and the ends of keys with a name in the middle) whose value is a command. */
export const GIT_COMMAND_KEY =
  /^(?:core\.(?:sshcommand|gitproxy|askpass|fsmonitor|pager|editor)|pager\..+|sequence\.editor|credential\.(?:.+\.)?helper|remote\..+\.(?:uploadpack|receivepack|vcs)|diff\.(?:external|.+\.(?:command|textconv))|interactive\.difffilter|filter\..+\.(?:clean|smudge|process)|merge\..+\.driver|(?:difftool|mergetool|browser|man)\..+\.(?:cmd|path)|gpg\.(?:.+\.)?program|uploadpack\.packobjectshook|sendemail\..*(?:smtpserver|tocmd|cccmd))$/;

/** Environment variables whose value is a command. */
export const GIT_COMMAND_VARIABLE =
  /^(?:GIT_SSH_COMMAND|GIT_SSH|GIT_PROXY_COMMAND|GIT_ASKPASS|SSH_ASKPASS|(?:GIT_)?PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|VISUAL|EDITOR|GIT_EXTERNAL_DIFF)$/;

/** Keys and variables whose value is a folder of commands. */
export const GIT_HOOKS = /^(?:core\.hookspath|init\.templatedir|GIT_TEMPLATE_DIR|GIT_EXEC_PATH)$/;
